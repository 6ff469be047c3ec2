import { type RxDocumentData, type RxStorage, wrapRxStorageInstance } from 'rxdb';
import { z } from 'zod';

import { fromBase64, toBase64 } from '../platform/base64.ts';
import type { Cipher } from '../platform/cipher.ts';
import type { SecretStore } from '../platform/ports.ts';

/** The collections whose rows are copies of what only this device has. The mirror relies on the encryption of the disk. */
const sealedCollections = new Set(['outbox', 'drafts', 'kept']);

/** Marks sealed text. Clear rows are JSON, and clear secrets are tokens or JSON: none begins like this. */
const mark = 'sealed:';

function sealText(cipher: Cipher, text: string, context: string): string {
  return mark + toBase64(cipher.seal(new TextEncoder().encode(text), context));
}

/**
 * Text that an earlier version stored without encryption is returned as it is.
 * @throws CipherError
 */
function openText(cipher: Cipher, text: string, context: string): string {
  if (!text.startsWith(mark)) return text;
  return new TextDecoder().decode(cipher.open(fromBase64(text.slice(mark.length)), context));
}

const row = z.looseObject({ id: z.string(), body: z.string() });

/** A storage that encrypts the rows of calls, drafts and kept words (CIPHER-1). */
export function sealedStorage(
  storage: RxStorage<unknown, unknown>,
  cipher: Cipher,
): RxStorage<unknown, unknown> {
  return {
    ...storage,
    async createStorageInstance(params) {
      const instance = await storage.createStorageInstance(params);
      if (!sealedCollections.has(params.collectionName)) return instance;
      const withBody =
        (change: (text: string, context: string) => string) =>
        <T>(document: RxDocumentData<T>): RxDocumentData<T> => {
          const { data } = row.safeParse(document);
          if (data === undefined) return document;
          return { ...document, body: change(data.body, `${params.collectionName} ${data.id}`) };
        };
      return wrapRxStorageInstance(
        params.schema,
        instance,
        withBody((text, context) => sealText(cipher, text, context)),
        withBody((text, context) => openText(cipher, text, context)),
      );
    },
  };
}

/**
 * A secret store that encrypts what it is given. A secret that an earlier version stored without encryption is encrypted when
 * it is read. It moves to another name: the bytes of an overwritten value stay in the browser's files, those of a removed
 * token do not.
 */
export function sealedSecrets(secrets: SecretStore, cipher: Cipher): SecretStore {
  const sealedName = (name: string): string => `${name}-sealed`;
  const contextOf = (name: string): string => `secret ${name}`;
  const write = async (name: string, secret: string): Promise<void> => {
    await secrets.write(sealedName(name), sealText(cipher, secret, contextOf(name)));
    await secrets.remove(name);
  };
  return {
    async read(name) {
      const sealed = await secrets.read(sealedName(name));
      if (sealed !== undefined) return openText(cipher, sealed, contextOf(name));
      const clear = await secrets.read(name);
      if (clear !== undefined) await write(name, clear);
      return clear;
    },
    write,
    async remove(name) {
      await secrets.remove(name);
      await secrets.remove(sealedName(name));
    },
  };
}
