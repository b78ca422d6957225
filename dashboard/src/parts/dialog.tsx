/** A question before something happens: what follows from it, and two answers. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useAttempt } from "./attempt";
import { Words } from "./words";

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
  const { busy, trouble, attempt } = useAttempt();
  useEffect(() => dialog.current!.showModal(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (await attempt(perform)) close();
  };
  return (
    // What is under way is waited for: a dialog that is closed cannot say that it failed.
    <dialog ref={dialog} class="confirm" aria-label={title} onCancel={(event) => busy && event.preventDefault()} onClose={close}>
      <form onSubmit={(event) => void submit(event)}>
        <h2>{title}</h2>
        {children}
        {trouble !== undefined && (
          <p role="alert">
            <Words of={trouble} />
          </p>
        )}
        <p class="answers">
          <button type="submit" disabled={busy || !isReady}>
            {answer}
          </button>
          <button type="button" disabled={busy} onClick={() => dialog.current!.close()}>
            Cancel
          </button>
        </p>
      </form>
    </dialog>
  );
}
