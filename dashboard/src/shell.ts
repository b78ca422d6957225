/** Words of commands that people copy, as a shell reads them. `protocol/src/words.rs` writes those of the command line. */

/** A word, in quotes where a shell would read it otherwise. */
export function quoted(word: string): string {
  return /^[\w\-./:@,+%][\w\-./:@,+%=#]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** An option with its value. */
export const option = (name: string, value: string): string => `${name}${value.startsWith("-") ? "=" : " "}${quoted(value)}`;

/** A name behind all options; after `--` one that begins with a hyphen is no option. */
export const operand = (name: string): string => name.startsWith("-") ? `-- ${quoted(name)}` : quoted(name);
