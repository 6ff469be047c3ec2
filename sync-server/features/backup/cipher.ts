import { createHmac, hkdfSync } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';

import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';

import { BadSetting } from '#server/platform/config.ts';

/** Converts the content of a backup for its target, and back. */
export interface BackupCipher {
  /** Encrypted backups also contain the server's key. */
  readonly isEncrypted: boolean;
  /** Identifies the key without revealing it; null without encryption. */
  readonly keyId: string | null;
  /** The name of an object, from the SHA-256 of its content. With a key, the name does not reveal the content. */
  objectName(sha256: string): string;
  seal(content: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>>;
  /** Reading the result throws if the content is damaged or was written with another key. */
  open(content: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>>;
}

/** No encryption. */
export const noCipher: BackupCipher = {
  isEncrypted: false,
  keyId: null,
  objectName: (sha256) => sha256,
  seal: async (content) => content,
  open: async (content) => content,
};

/** Encryption with age (https://age-encryption.org/v1, X25519). The standard tool opens each file: `age -d -i KEY`. */
class AgeCipher implements BackupCipher {
  readonly isEncrypted = true;
  readonly keyId: string;
  readonly #identity: string;
  readonly #recipient: string;
  readonly #names: Uint8Array;

  constructor(identity: string, recipient: string) {
    this.#identity = identity;
    this.#recipient = recipient;
    this.#names = new Uint8Array(hkdfSync('sha256', identity, '', 'benchbook names of backed-up files', 32));
    this.keyId = recipient;
  }

  objectName(sha256: string): string {
    return createHmac('sha256', this.#names).update(sha256).digest('hex');
  }

  async seal(content: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
    const encrypter = new Encrypter();
    encrypter.addRecipient(this.#recipient);
    return encrypter.encrypt(streamOf(content));
  }

  async open(content: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
    const decrypter = new Decrypter();
    decrypter.addIdentity(this.#identity);
    return decrypter.decrypt(streamOf(content));
  }
}

function streamOf(content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = content[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const next = await iterator.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** Writes a new key to a file that only the caller's account can read. Returns the public part. @throws BadSetting if the file exists */
export async function makeBackupKey(path: string): Promise<string> {
  const identity = await generateIdentity();
  const recipient = await identityToRecipient(identity);
  const text = `# Key of Benchbook backups. Store a copy outside of the server: without it no backup can be read.\n# public key: ${recipient}\n${identity}\n`;
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600, flush: true });
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    throw new BadSetting(
      code === 'EEXIST'
        ? `${path} exists already. Backups that were made with it need it, so it is not replaced.`
        : `The key cannot be written to ${path} (${code}).`,
      { cause },
    );
  }
  return recipient;
}

/** The cipher of a key file (in the format of `age-keygen`); without a file, no encryption. @throws BadSetting */
export async function readCipher(keyFile: string | undefined): Promise<BackupCipher> {
  if (keyFile === undefined) return noCipher;
  let text: string;
  try {
    // Reading a pipe would wait for ever.
    if (!(await stat(keyFile)).isFile()) throw Object.assign(new Error(), { code: 'not a file' });
    text = await readFile(keyFile, 'utf8');
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    throw new BadSetting(`The key file ${keyFile} cannot be read (${code}).`, { cause });
  }
  const identity = /^AGE-SECRET-KEY-1[A-Z0-9]+$/m.exec(text)?.[0];
  if (identity === undefined)
    throw new BadSetting(`${keyFile} holds no key. "benchbook backup-key FILE" makes one.`);
  try {
    return new AgeCipher(identity, await identityToRecipient(identity));
  } catch (cause) {
    throw new BadSetting(`The key in ${keyFile} is damaged.`, { cause });
  }
}
