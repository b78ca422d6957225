/** A command to type elsewhere, with a button that copies it. */

import { useEffect, useRef, useState } from "preact/hooks";

const SHOWN_MS = 2_000;

export function Command({ text, ...rest }: { text: string; "data-join"?: boolean }) {
  const place = useRef<HTMLPreElement>(null);
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (said === "") return;
    const timer = setTimeout(() => setSaid(""), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const press = async () => setSaid((await copy(text, place.current!)) ? "Copied" : "Selected, not copied");
  return (
    <div class="command">
      <pre ref={place} {...rest}>
        {text}
      </pre>
      <button type="button" aria-label={`Copy ${text}`} onClick={() => void press()}>
        {said === "" ? "Copy" : said}
      </button>
      <span class="visually-hidden" role="status">{said}</span>
    </div>
  );
}

/** Whether it was copied. Browsers give pages of plain HTTP no clipboard; there the older command copies what is selected. */
async function copy(text: string, place: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection()?.selectAllChildren(place);
    return document.execCommand("copy");
  }
}
