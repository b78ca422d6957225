/** A question before something happens: what follows from it, and two answers. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../api";

interface DialogProps {
  title: string;
  /** The word on the button that does it. */
  answer: string;
  /** Whether it may be done as things stand. */
  isReady: boolean;
  /** Does it; the dialog closes when it is done. */
  perform: () => Promise<void>;
  close: () => void;
  children: ComponentChildren;
}

export function Dialog({ title, answer, isReady, perform, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [trouble, setTrouble] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => dialog.current!.showModal(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await perform();
      close();
    } catch (error) {
      setTrouble(error instanceof ApiError ? error.message : "The coordinator does not answer.");
      setBusy(false);
    }
  };
  return (
    <dialog ref={dialog} class="confirm" aria-label={title} onClose={close}>
      <form onSubmit={(event) => void submit(event)}>
        <h2>{title}</h2>
        {children}
        {trouble !== undefined && <p role="alert">{trouble}</p>}
        <p class="answers">
          <button type="submit" disabled={busy || !isReady}>
            {answer}
          </button>
          <button type="button" onClick={() => dialog.current!.close()}>
            Cancel
          </button>
        </p>
      </form>
    </dialog>
  );
}
