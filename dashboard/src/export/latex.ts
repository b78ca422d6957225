/** Texts in LaTeX. `src/commands/results/latex_text.rs` does the same for the command line, and both are tested by the same texts. */

/** Characters that LaTeX prints otherwise, or that are commands, with what prints them. */
const PRINTED: Record<string, string> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  "`": "\\textasciigrave{}",
  // Some languages of babel make a command of it, and the newer programs a closing quote. Its name is not in every older encoding.
  '"': "{\\ifdefined\\Umathcode\\textquotedbl\\else\\char34 \\fi}",
  // After the end of a row these would be its options.
  "*": "{*}",
  "[": "{[}",
  "]": "{]}",
  "{": "\\{",
  "}": "\\}",
  $: "\\$",
  "&": "\\&",
  "#": "\\#",
  _: "\\_",
  "%": "\\%",
  "\u00a0": "~",
  "\u00ad": "\\-",
  "\u202f": "\\,",
  "–": "--",
  "—": "---",
  "…": "\\ldots{}",
  "−": "$-$",
  "∞": "$\\infty$",
  "≈": "$\\approx$",
  "≤": "$\\leq$",
  "≥": "$\\geq$",
};

/** Letters that pdfLaTeX with the encoding T1 does not print. */
const UNKNOWN = /[^ -~¡-ÿĀ-ž‘’“”„€™\u00a0\u202f–—…−∞≈≤≥]|[ĸŉĦħŦŧĿŀ]/u;

/** What keeps characters apart that become another one beside themselves. An empty group does not, for LuaLaTeX. */
const APART = "\\kern0pt ";

/** Texts in pieces: what becomes another character beside itself, letters that only the newer programs print, and single characters. */
const PIECES = new RegExp(`([-',<>])\\1+|(?:${UNKNOWN.source})+|.`, "gu");

/** A text that LaTeX prints as it is. */
export function escapeLatex(text: string): string {
  return text.replace(/\p{Cc}/gu, " ").replace(PIECES, (piece, twice?: string) => {
    if (twice !== undefined) return Array<string>(piece.length).fill(PRINTED[twice] ?? twice).join(APART);
    if (!UNKNOWN.test(piece)) return PRINTED[piece] ?? piece;
    const numbers = [...piece].map((letter) => `U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`);
    return `{\\ifdefined\\Umathcode ${piece}\\else ${numbers.join(" ")}\\fi}`;
  });
}
