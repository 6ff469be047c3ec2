import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  // oxlint-disable-next-line no-restricted-imports -- the name of a temporary file, which nobody sees
  randomBytes,
  sign,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

import { identityMessage, serverIdOf } from '#shared/sync/identity.ts';

/**
 * Name of the server's private key in the data folder.
 *
 * - IDENTITY-1 The first start makes an Ed25519 key, `server.key` in the data folder (PKCS #8, PEM, mode 0600). Later
 *   starts use it. The server's id is the first 26 characters of the base32 text of the SHA-256 of its public key.
 */
export const keyFileName = 'server.key';

const ownerOnly = 0o600;

/** 64 bits are more than anybody can try against a running server. */
const sealDigits = 16;

/** Of AES-GCM. */
const nonceBytes = 12;
const tagBytes = 16;

/** The key of a server. To devices, the holder of the key is this server. */
export class ServerKey {
  readonly id: string;
  /** The 32 bytes of the public key in base64url. */
  readonly publicKey: string;
  readonly #key: KeyObject;
  readonly #seals: Uint8Array;
  readonly #secrets: Uint8Array;
  readonly #stored: Uint8Array;

  private constructor(key: KeyObject, publicKey: string, id: string) {
    this.#key = key;
    const secret = key.export({ type: 'pkcs8', format: 'der' });
    this.#seals = new Uint8Array(hkdfSync('sha256', secret, '', 'benchbook places of the feed', 32));
    this.#secrets = new Uint8Array(hkdfSync('sha256', secret, '', 'benchbook hashes of secrets', 32));
    this.#stored = new Uint8Array(hkdfSync('sha256', secret, '', 'benchbook stored secrets', 32));
    this.publicKey = publicKey;
    this.id = id;
  }

  /**
   * Reads the key. Throws an error for the administrator if the file cannot be read or contains another kind of key.
   */
  static async read(dataDir: string): Promise<ServerKey> {
    return ServerKey.of(keyFromFile(join(dataDir, keyFileName)));
  }

  /** The key with this text (PEM). Throws an error for the administrator if it is another kind of key. */
  static async parse(pem: string): Promise<ServerKey> {
    const key = ed25519Of(pem);
    if (key === null)
      throw new Error(
        'The key of the server in the database is no Ed25519 key. Restore the database from a backup.',
      );
    return ServerKey.of(key);
  }

  private static async of(key: KeyObject): Promise<ServerKey> {
    const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
    return new ServerKey(key, x, await serverIdOf(Uint8Array.from(Buffer.from(x, 'base64url'))));
  }

  /** The signature that proves that this server is reached at `origin`, in base64url. */
  sign(nonce: string, origin: string): string {
    return sign(null, identityMessage(nonce, origin), this.#key).toString('base64url');
  }

  /** The seal of a checkpoint, which only this server can make, in hexadecimal. */
  seal(checkpoint: string): string {
    return createHmac('sha256', this.#seals).update(checkpoint).digest('hex').slice(0, sealDigits);
  }

  /**
   * A keyed hash of a guessable value, such as a password, in hexadecimal. Without the key, candidates cannot be
   * tried.
   */
  secretHash(text: string): string {
    return createHmac('sha256', this.#secrets).update(text).digest('hex');
  }

  /**
   * Encrypts a secret for the database (AES-256-GCM), in base64. `about`: what it belongs to; it cannot be decrypted for
   * anything else. `nonce`: 12 random bytes.
   */
  encrypt(text: string, about: string, nonce: Uint8Array): string {
    const cipher = createCipheriv('aes-256-gcm', this.#stored, nonce).setAAD(Buffer.from(about));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** A secret that `encrypt` made with this key and `about`; null if it was another key, or the text was changed. */
  decrypt(sealed: string, about: string): string | null {
    const bytes = Buffer.from(sealed, 'base64');
    if (bytes.length < nonceBytes + tagBytes) return null;
    const decipher = createDecipheriv('aes-256-gcm', this.#stored, bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
      .setAAD(Buffer.from(about))
      .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    try {
      const text = decipher.update(bytes.subarray(nonceBytes + tagBytes));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }

  /** Whether `seal` is this server's seal of the checkpoint. */
  isSealed(checkpoint: string, seal: string): boolean {
    const own = Buffer.from(this.seal(checkpoint));
    const given = Buffer.from(seal);
    return own.length === given.length && timingSafeEqual(own, given);
  }
}

/** Whether the folder has a key. */
export function hasServerKey(dataDir: string): boolean {
  return existsSync(join(dataDir, keyFileName));
}

/** Makes a key unless one exists. If two processes try, one makes it, and both use the same. */
export function makeServerKey(dataDir: string): void {
  const made = writeNewKey(dataDir);
  try {
    linkSync(made, join(dataDir, keyFileName));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(made);
  }
}

/**
 * Replaces the key of a data folder. The server must not run.
 *
 * - IDENTITY-8 `replaceServerKey(dataDir)` makes a copy of a data folder a separate server (a staging site): devices
 *   keep calls that wait for the original server. The audit log records when a database is opened with another key.
 */
export function replaceServerKey(dataDir: string): void {
  renameSync(writeNewKey(dataDir), join(dataDir, keyFileName));
}

/**
 * Restricts the key file to the account of the server. Returns what was found and done.
 *
 * - IDENTITY-7 A key that other accounts of the machine can read is made private (0600), and the log warns, so that
 *   the administrator can replace the key. If the file system does not support file modes, the log says so.
 */
export function protectServerKey(dataDir: string): 'was-private' | 'made-private' | 'not-private' {
  const path = join(dataDir, keyFileName);
  const isOpen = (): boolean => process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
  if (!isOpen()) return 'was-private';
  try {
    chmodSync(path, ownerOnly);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  return isOpen() ? 'not-private' : 'made-private';
}

/** A new Ed25519 key (PKCS #8, PEM). */
export function newKeyText(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Writes a new key to a temporary file and syncs it. Returns its path. */
function writeNewKey(dataDir: string): string {
  const path = join(dataDir, `${keyFileName}.${randomBytes(6).toString('hex')}`);
  const file = openSync(path, 'wx', ownerOnly);
  try {
    writeSync(file, newKeyText());
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return path;
}

function keyFromFile(path: string): KeyObject {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(
      `${path} cannot be read. It must belong to the account that runs the server, with mode 0600.`,
      { cause },
    );
  }
  const key = ed25519Of(text);
  if (key !== null) return key;
  throw new Error(
    `${path} holds no Ed25519 key. Put the file back from a backup: devices know the server by it.`,
  );
}

/** The Ed25519 key with this text; null for another kind of key, or a damaged text. */
function ed25519Of(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}
