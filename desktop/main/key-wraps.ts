import { createCipheriv, createDecipheriv, createHash, hkdf } from 'node:crypto';
import { promisify } from 'node:util';

/*
 * Wraps of the device key: AES-256-GCM with a random nonce of 96 bits (NIST SP 800-38D, 8.2.2). Each wrap key seals a few
 * keys in its life, far below the limit of 2^32.
 */

const NONCE = 12;
const TAG = 16;

/** Number of bytes of a sealed key of 32 bytes. */
export const sealedLength = NONCE + 32 + TAG;

/** Seals `plain` under `wrapKey` (32 bytes) for one `context`. Returns nonce, ciphertext and tag, in base64. */
export function seal(
  wrapKey: Uint8Array,
  plain: Uint8Array,
  context: string,
  randomBytes: (count: number) => Uint8Array,
): string {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', wrapKey, nonce, { authTagLength: TAG });
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

/** Opens what `seal` returned; null if the key or the context is another one, or if a bit was changed. */
export function unseal(wrapKey: Uint8Array, sealed: string, context: string): Uint8Array<ArrayBuffer> | null {
  const bytes = Buffer.from(sealed, 'base64');
  try {
    const decipher = createDecipheriv('aes-256-gcm', wrapKey, bytes.subarray(0, NONCE), {
      authTagLength: TAG,
    });
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(-TAG));
    return new Uint8Array(Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]));
  } catch {
    return null;
  }
}

/** The id of a key, which does not reveal it: the first 8 bytes of SHA-256 of a prefix and the key, in hex. */
export function fingerprintOf(key: Uint8Array): string {
  return createHash('sha256').update('benchbook-device-key').update(key).digest('hex').slice(0, 16);
}

const deriveKey = promisify(hkdf);

/**
 * The wrap key of an account's secret (32 bytes): HKDF-SHA-256 (RFC 5869). Origin, account and device are in its info, so
 * that a secret opens nothing else, even if a server gives out the same one twice.
 */
export async function recoveryKey({
  origin,
  account,
  device,
  secret,
}: {
  origin: string;
  account: string;
  device: string;
  secret: Uint8Array;
}): Promise<Uint8Array> {
  // Neither origins nor device ids contain line ends, so that the parts cannot run into each other.
  const info = Buffer.from(['benchbook-device-key recovery', origin, account, device].join('\n'));
  return new Uint8Array(await deriveKey('sha256', secret, new Uint8Array(0), info, 32));
}
