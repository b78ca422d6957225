/** A question before something happens: what follows from it, and two answers. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { troubleOf } from "../live";
import { Alert } from "./elements";

interface DialogProps {
  title: string;
  /** The word on the button that does it. */
  answer: string;
  /** Whether it may be done as things stand. */
  isReady: boolean;
  /** Does it; the dialog closes when it is done. */
  perform: () => Promise<unknown>;
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
        <Alert words={trouble} />
        <p class="answers">
          <button type="submit" disabled={busy || !isReady}>{answer}</button>
          <button type="button" disabled={busy} onClick={() => dialog.current!.close()}>Cancel</button>
        </p>
      </form>
    </dialog>
  );
}

export interface Attempt {
  busy: boolean;
  /** Why the last one failed. */
  trouble: string | undefined;
  /** Does it, unless another one is under way. The answer is whether it was done. */
  attempt: (change: () => unknown) => Promise<boolean>;
}

/** `wordsOf` says why something failed. */
export function useAttempt(wordsOf: (error: unknown) => string = troubleOf): Attempt {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  // The second press of a double click comes before the page has disabled the button.
  const running = useRef(false);
  const attempt = async (change: () => unknown) => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    try {
      await change();
      setTrouble(undefined);
      return true;
    } catch (error) {
      setTrouble(wordsOf(error));
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, trouble, attempt };
}

interface ActionButtonsProps<Action extends string> {
  /** What the actions are on. */
  on: string;
  actions: readonly Action[];
  names: Readonly<Record<Action, string>>;
  /** Asks before it is done. */
  ask: (action: Action, close: () => void) => ComponentChildren;
}

/** A button for each action, which opens its dialog. */
export function ActionButtons<Action extends string>({ on, actions, names, ask }: ActionButtonsProps<Action>) {
  const [open, setOpen] = useState<Action>();
  return (
    <>
      <p class="actions" role="group" aria-label={`Actions on ${on}`}>
        {actions.map((action) => (
          <button key={action} type="button" aria-haspopup="dialog" onClick={() => setOpen(action)}>
            {names[action]}…
          </button>
        ))}
      </p>
      {open !== undefined && ask(open, () => setOpen(undefined))}
    </>
  );
}
