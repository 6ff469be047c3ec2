import { argon2id } from '@noble/hashes/argon2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

import type { Argon2Work } from './argon2.ts';

/** `argon2` in this thread, which it blocks. */
export function argon2Here({ text, salt, memory, passes }: Argon2Work): string {
  return bytesToHex(argon2id(text, salt, { m: memory, t: passes, p: 1, dkLen: 32 }));
}
