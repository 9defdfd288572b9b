/** Reads a module from the text of a script, which `scripts/inline.mjs` wrote. */

/**
 * Decodes text of digits to the base 92, the characters from `#` to `~`, with `!` in place of the backslash. A digit below 90
 * is a number by itself; 90 and 91 begin one of two digits. The byte is the number less 4, modulo 256.
 */
export function decodeText(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    let number = digitAt(text, i);
    if (number >= 90) number += (number - 90) * 91 + digitAt(text, ++i);
    bytes[length++] = number - 4; // Modulo 256.
  }
  return bytes.subarray(0, length);
}

function digitAt(text: string, i: number): number {
  const code = text.charCodeAt(i);
  return (code === 0x21 ? 0x5c : code) - 0x23;
}
