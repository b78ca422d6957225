/** A field that asks when its writer pauses, and follows the address when that changes. */

import { useEffect, useRef } from "preact/hooks";

export type FieldType = "text" | "number" | "date" | "search";

interface TextFieldProps {
  value: string;
  type?: FieldType;
  placeholder?: string;
  label?: string;
  list?: string;
  /** A pause in typing, in milliseconds, after which the words count. */
  pause: number;
  ask: (value: string) => void;
}

export function TextField({ value, type = "text", label, pause, ask, ...more }: TextFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // What the timer calls is the newest `ask`: other fields may have changed meanwhile.
  const latest = useRef(ask);
  latest.current = ask;
  // What this field asked for last is no news to its writer, who may have typed on since.
  const known = useRef(value);
  useEffect(() => {
    if (value !== known.current && timer.current === undefined) input.current!.value = value;
    known.current = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const say = () => {
    timer.current = undefined;
    known.current = input.current!.value.trim();
    latest.current(known.current);
  };
  const later = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(say, pause);
  };
  return <input ref={input} type={type} aria-label={label} min={type === "number" ? 1 : undefined} defaultValue={value} onInput={later} maxLength={200} {...more} />;
}
