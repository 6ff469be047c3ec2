import { type RxDocumentData, type RxStorage, wrapRxStorageInstance } from 'rxdb';
import { z } from 'zod';

import { fromBase64, toBase64 } from '../platform/base64.ts';
import { type Cipher, CipherError } from '../platform/cipher.ts';
import { passOverFullDisk } from '../platform/full-disk.ts';
import type { SecretStore } from '../platform/ports.ts';

/** The collections whose rows are copies of what only this device has. The mirror relies on the encryption of the disk. */
const sealedCollections = new Set(['outbox', 'drafts', 'kept']);

/** Marks sealed text. Clear rows are JSON, and clear secrets are tokens or JSON: none begins like this. */
const mark = 'sealed:';

/** Begins the text of a row that cannot be trusted. It is no JSON, so that its readers list it as unreadable (OUTBOX-47). */
const unreadableMark = 'unreadable:';

function sealText(cipher: Cipher, text: string, context: string): string {
  return mark + toBase64(cipher.seal(new TextEncoder().encode(text), context));
}

/** `changed`: it is not what was sealed here, or it is not sealed although it must be. */
type Opened = { text: string } | { problem: CipherError['kind'] };

/** Opens a stored text. `mayBeClear`: whether an earlier version may have stored it without encryption (CIPHER-5). */
function openText(cipher: Cipher, stored: string, context: string, mayBeClear: boolean): Opened {
  if (!stored.startsWith(mark)) return mayBeClear ? { text: stored } : { problem: 'changed' };
  try {
    const sealed = fromBase64(stored.slice(mark.length));
    return { text: new TextDecoder().decode(cipher.open(sealed, context)) };
  } catch (error) {
    // Text that is no base64 was changed, too.
    return { problem: error instanceof CipherError ? error.kind : 'changed' };
  }
}

const row = z.looseObject({ id: z.string(), body: z.string() });

/**
 * A storage that encrypts the rows of calls, drafts and kept words (CIPHER-1). Rows are copies of journal records. One that
 * another key sealed belongs to a journal that was set aside: it reads as if it had been deleted (CIPHER-6). The text of one
 * that was changed becomes unreadable for its readers, who tell the person.
 *
 * @param mayBeClear Whether rows of before encryption may be there.
 */
export function sealedStorage(
  storage: RxStorage<unknown, unknown>,
  cipher: Cipher,
  { mayBeClear }: { mayBeClear: boolean },
): RxStorage<unknown, unknown> {
  const sealed = <T>(document: RxDocumentData<T>, context: string, body: string): RxDocumentData<T> => {
    // A storage needs the row that is replaced as it is stored, and this one was read as deleted.
    if (body.startsWith(mark)) return { ...document, _deleted: false };
    return { ...document, body: sealText(cipher, body, context) };
  };
  const opened = <T>(document: RxDocumentData<T>, context: string, body: string): RxDocumentData<T> => {
    const found = openText(cipher, body, context, mayBeClear);
    if ('text' in found) return { ...document, body: found.text };
    if (found.problem === 'other-key') return { ...document, _deleted: true };
    return { ...document, body: unreadableMark + body };
  };
  return {
    ...storage,
    async createStorageInstance(params) {
      const instance = await storage.createStorageInstance(params);
      if (!sealedCollections.has(params.collectionName)) return instance;
      const withBody =
        (change: typeof sealed) =>
        <T>(document: RxDocumentData<T>): RxDocumentData<T> => {
          const { data } = row.safeParse(document);
          return data === undefined
            ? document
            : change(document, `${params.collectionName} ${data.id}`, data.body);
        };
      const wrapped = wrapRxStorageInstance(params.schema, instance, withBody(sealed), withBody(opened));
      const present = <T>(documents: RxDocumentData<T>[]): RxDocumentData<T>[] =>
        documents.filter(({ _deleted }) => !_deleted);
      return {
        ...wrapped,
        query: async (prepared) => {
          const { documents } = await wrapped.query(prepared);
          return { documents: asksForPresent(prepared.query.selector) ? present(documents) : documents };
        },
        findDocumentsById: async (ids, withDeleted) => {
          const documents = await wrapped.findDocumentsById(ids, withDeleted);
          return withDeleted ? documents : present(documents);
        },
      };
    },
  };
}

const presentOnly = z.looseObject({ _deleted: z.looseObject({ $eq: z.literal(false) }) });

/** Whether a query leaves out deleted documents. */
function asksForPresent(selector: unknown): boolean {
  return presentOnly.safeParse(selector).success;
}

/**
 * A secret store that encrypts what it is given. Secrets are copies, or tokens that a sign-in replaces: one that cannot be
 * opened, because of another key or a change, reads as absent (CIPHER-6). A secret that an earlier version stored without
 * encryption is encrypted when it is read. It moves to another name: the bytes of an overwritten value stay in the browser's
 * files, those of a removed token do not.
 *
 * @param mayBeClear Whether secrets of before encryption may be there. Others are removed (CIPHER-5).
 */
export function sealedSecrets(
  secrets: SecretStore,
  cipher: Cipher,
  mayBeClear: () => Promise<boolean>,
): SecretStore {
  const sealedName = (name: string): string => `${name}-sealed`;
  const contextOf = (name: string): string => `secret ${name}`;
  const write = async (name: string, secret: string): Promise<void> => {
    await secrets.write(sealedName(name), sealText(cipher, secret, contextOf(name)));
    await secrets.remove(name);
  };
  return {
    async read(name) {
      const sealed = await secrets.read(sealedName(name));
      if (sealed !== undefined) {
        const found = openText(cipher, sealed, contextOf(name), false);
        return 'text' in found ? found.text : undefined;
      }
      const clear = await secrets.read(name);
      if (clear === undefined) return undefined;
      if (await mayBeClear()) {
        await write(name, clear).catch(passOverFullDisk);
        return clear;
      }
      await secrets.remove(name);
      return undefined;
    },
    write,
    async remove(name) {
      await secrets.remove(name);
      await secrets.remove(sealedName(name));
    },
  };
}
