/** A choice among a few, all in sight. */

interface SwitchProps<T extends string> {
  label: string;
  /** None of the options if undefined. */
  value: T | undefined;
  options: readonly (readonly [value: T, text: string])[];
  choose: (value: T) => void;
}

export function Switch<T extends string>({ label, value, options, choose }: SwitchProps<T>) {
  return (
    <div class="switch" role="group" aria-label={label}>
      {options.map(([option, text]) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => choose(option)}>
          {text}
        </button>
      ))}
    </div>
  );
}
