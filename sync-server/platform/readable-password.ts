/** Letters and digits that nobody confuses when reading them aloud. */
const readable = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A random password to be read from a screen: three groups of four, about 59 bits. */
export function readablePassword(randomBytes: (size: number) => Uint8Array): string {
  const letters: string[] = [];
  while (letters.length < 12) {
    for (const byte of randomBytes(16)) {
      // Bytes beyond the last whole multiple would make some letters likelier than others.
      if (byte < 248 && letters.length < 12) letters.push(readable[byte % readable.length] ?? '');
    }
  }
  return [letters.slice(0, 4), letters.slice(4, 8), letters.slice(8)]
    .map((group) => group.join(''))
    .join('-');
}
