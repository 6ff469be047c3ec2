const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A new guid of 16 letters and digits (API facts 1.1); `randomBytes` is cryptographic. */
export function newGuid(randomBytes: (size: number) => Uint8Array): string {
  let guid = '';
  while (guid.length < 16) {
    for (const byte of randomBytes(24))
      if (byte < letters.length * 4 && guid.length < 16) guid += letters[byte % letters.length] ?? '';
  }
  return guid;
}
