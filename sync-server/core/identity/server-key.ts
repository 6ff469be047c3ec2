import {
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

/** Name of the server's private key in the data folder: PKCS #8 in PEM, for the account of the server alone. */
export const keyFileName = 'server.key';

const ownerOnly = 0o600;

/** 64 bits: more than anybody can try against a running server. */
const sealDigits = 16;

/** The key of a server: whoever holds it is this server to its devices. */
export class ServerKey {
  readonly id: string;
  /** The 32 bytes of the public key in base64url. */
  readonly publicKey: string;
  readonly #key: KeyObject;
  readonly #seals: Uint8Array;
  readonly #secrets: Uint8Array;

  private constructor(key: KeyObject, publicKey: string, id: string) {
    this.#key = key;
    const secret = key.export({ type: 'pkcs8', format: 'der' });
    this.#seals = new Uint8Array(hkdfSync('sha256', secret, '', 'benchbook places of the feed', 32));
    this.#secrets = new Uint8Array(hkdfSync('sha256', secret, '', 'benchbook hashes of secrets', 32));
    this.publicKey = publicKey;
    this.id = id;
  }

  /** Throws a sentence for the administrator when the file cannot be read, or holds another kind of key. */
  static async read(dataDir: string): Promise<ServerKey> {
    const path = join(dataDir, keyFileName);
    const key = privateKeyOf(path);
    const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
    return new ServerKey(key, x, await serverIdOf(Uint8Array.from(Buffer.from(x, 'base64url'))));
  }

  /** The signature that this server is reached at `origin`, in base64url. */
  sign(nonce: string, origin: string): string {
    return sign(null, identityMessage(nonce, origin), this.#key).toString('base64url');
  }

  /** What only this server can write beside a place of its feed, in hexadecimal. */
  seal(place: string): string {
    return createHmac('sha256', this.#seals).update(place).digest('hex').slice(0, sealDigits);
  }

  /** A hash of a guessable value, such as a password, in hexadecimal: without the key no one can try candidates. */
  secretHash(text: string): string {
    return createHmac('sha256', this.#secrets).update(text).digest('hex');
  }

  /** Whether `seal` is what this server wrote beside the place. */
  isSealed(place: string, seal: string): boolean {
    const own = Buffer.from(this.seal(place));
    const told = Buffer.from(seal);
    return own.length === told.length && timingSafeEqual(own, told);
  }
}

/** Whether the folder has a key. */
export function hasServerKey(dataDir: string): boolean {
  return existsSync(join(dataDir, keyFileName));
}

/** Makes a key unless there is one; of two processes that try, one makes it and both find the same. */
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
 * Gives the data folder another key: a copy that is a server of its own (a staging site). Devices of the server before
 * keep what waits for that one to themselves. The server must not run.
 */
export function replaceServerKey(dataDir: string): void {
  renameSync(writeNewKey(dataDir), join(dataDir, keyFileName));
}

/** Takes the key away from other accounts of the machine. */
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

/** Writes a new key to a file of its own, fsynced. Returns its path. */
function writeNewKey(dataDir: string): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  const path = join(dataDir, `${keyFileName}.${randomBytes(6).toString('hex')}`);
  const file = openSync(path, 'wx', ownerOnly);
  try {
    writeSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return path;
}

function privateKeyOf(path: string): KeyObject {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(
      `${path} cannot be read. It must belong to the account that runs the server, with mode 0600.`,
      { cause },
    );
  }
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Said below: a damaged file and another kind of key are mended alike.
  }
  throw new Error(
    `${path} holds no Ed25519 key. Put the file back from a backup: devices know the server by it.`,
  );
}
