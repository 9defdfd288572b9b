// Writes a module as the text of a script. js/wasm/loaders/text.ts reads it.

/**
 * Encodes bytes as printable ASCII: a byte b as the number (b + 4) mod 256, and that as one digit to the base 92 if it is below
 * 90, else as two digits, of which the first is 90 or 91. The smallest and the largest bytes, which are two thirds of a module,
 * take one character, and each byte begins with a character, so that compression finds repetitions: the result compresses to 2 %
 * more than the bytes themselves; hexadecimal to 10 % more, base64 to a third.
 *
 * The digits are the characters from "#" to "~". Only the backslash needs an escape in a string, which is rare.
 */
export function inlineText(bytes) {
  const digits = Array.from(bytes, (byte) => {
    const number = (byte + 4) % 256;
    if (number < 90) return [number];
    return [90 + Math.floor((number - 90) / 92), (number - 90) % 92];
  });
  const codes = digits.flat().map((digit) => "#".charCodeAt(0) + digit);
  return Buffer.from(codes).toString("latin1").replaceAll("\\", "\\\\");
}
