import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';

/** Length of a device key, bytes. */
export const deviceKeySize = 32;
const fingerprintSize = 8;
const nonceSize = 24;
const tagSize = 16;
/** By how much sealed bytes are longer than clear ones. */
export const sealSize = fingerprintSize + nonceSize + tagSize;

/** Why sealed bytes cannot be opened: another key sealed them, or they were changed. */
export class CipherError extends Error {
  readonly kind: 'other-key' | 'changed';

  constructor(kind: CipherError['kind']) {
    super(
      kind === 'other-key' ? 'This was encrypted with another key' : 'The encrypted bytes have been changed',
    );
    this.name = 'CipherError';
    this.kind = kind;
  }
}

/**
 * Encrypts what is stored on this device (README, CIPHER-1). `context` says where the bytes belong. They can be opened only
 * with the context with which they were sealed.
 */
export interface Cipher {
  /** Fingerprint of the key (8 bytes) | nonce (24) | ciphertext | tag (16). */
  seal(clear: Uint8Array, context: string): Uint8Array<ArrayBuffer>;
  /** @throws CipherError */
  open(sealed: Uint8Array, context: string): Uint8Array<ArrayBuffer>;
}

/** The first 8 bytes of a hash of the key. They tell keys apart and reveal nothing about the key. */
function fingerprintOf(key: Uint8Array): Uint8Array {
  const label = new TextEncoder().encode('benchbook-device-key');
  return sha256(concatBytes(label, key)).slice(0, fingerprintSize);
}

/**
 * A cipher with XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha). Its nonces are long enough to be random.
 *
 * @param key 32 bytes.
 */
export function deviceCipher(key: Uint8Array, randomBytes: (size: number) => Uint8Array): Cipher {
  if (key.length !== deviceKeySize) throw new RangeError('A device key has 32 bytes');
  const own = key.slice();
  const fingerprint = fingerprintOf(own);
  const algorithm = (nonce: Uint8Array, context: string): ReturnType<typeof xchacha20poly1305> =>
    xchacha20poly1305(own, nonce, new TextEncoder().encode(context));
  return {
    seal(clear, context) {
      const nonce = randomBytes(nonceSize);
      return new Uint8Array(concatBytes(fingerprint, nonce, algorithm(nonce, context).encrypt(clear)));
    },
    open(sealed, context) {
      if (sealed.length < sealSize) throw new CipherError('changed');
      if (fingerprint.some((byte, at) => byte !== sealed[at])) throw new CipherError('other-key');
      const nonce = sealed.subarray(fingerprintSize, fingerprintSize + nonceSize);
      try {
        return new Uint8Array(
          algorithm(nonce, context).decrypt(sealed.subarray(fingerprintSize + nonceSize)),
        );
      } catch {
        throw new CipherError('changed');
      }
    },
  };
}
