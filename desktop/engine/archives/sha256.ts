import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** SHA-256 of bytes that come in pieces: the one of the platform wants them all at once. */
export class Sha256 {
  readonly #hash = sha256.create();

  update(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  /** In lower-case hexadecimal; nothing may be added after it. */
  digest(): string {
    return bytesToHex(this.#hash.digest());
  }
}
