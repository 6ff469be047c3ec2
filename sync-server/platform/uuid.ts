import { v4 } from 'uuid';

/** A new UUID (version 4). `randomBytes` is cryptographic. */
export function newUuid({ randomBytes }: { randomBytes: (size: number) => Uint8Array }): string {
  return v4({ random: randomBytes(16) });
}
