/** Reads a module from the text of a script, which `scripts/inline.mjs` wrote. */

/**
 * Decodes text of digits to the base 92, the characters from `#` to `~`. A digit below 90 is a number by itself; 90 and 91 begin
 * one of two digits. The byte is the number less 4, modulo 256.
 *
 * Decodes in place and without calls, because the code runs for the first time: calls that read characters take twice as long.
 */
export function decodeText(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(text);
  const { length } = bytes;
  let end = 0;
  for (let i = 0; i < length; i++) {
    let number = (bytes[i] as number) - 0x23;
    if (number >= 90) number += (number - 90) * 91 + (bytes[++i] as number) - 0x23;
    bytes[end++] = number - 4; // Modulo 256.
  }
  return bytes.subarray(0, end);
}
