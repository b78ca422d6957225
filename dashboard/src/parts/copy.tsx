/** A command to type elsewhere, with a button that copies it. */

import { useState } from "preact/hooks";

export function Copy({ text, name }: { text: string; name: string }) {
  const [said, setSaid] = useState("");
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setSaid("Copied"),
      () => setSaid("This browser does not let pages copy"),
    );
  return (
    <div class="copy">
      <pre>{text}</pre>
      {/* Browsers give pages a clipboard on this machine and over TLS only. */}
      {navigator.clipboard !== undefined && (
        <button type="button" aria-label={`Copy ${name}`} onClick={copy}>
          Copy
        </button>
      )}
      <span role="status">{said}</span>
    </div>
  );
}
