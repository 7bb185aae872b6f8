const LETTER = /[\p{L}\p{N}]/u;

/** How many letters and digits a text has. */
export function countLetters(text: string): number {
  let letters = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 128) {
      if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57))
        letters += 1;
    } else if (code < 0xdc00 || code > 0xdfff) {
      // The second half of a surrogate pair is skipped: its first half stands for the character.
      if (LETTER.test(String.fromCodePoint(text.codePointAt(index) ?? 0))) letters += 1;
    }
  }
  return letters;
}
