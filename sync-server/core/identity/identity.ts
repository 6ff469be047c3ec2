/**
 * The identity of the server.
 *
 * - IDENTITY-2 A key that cannot be read, or is not an Ed25519 key, stops the start with a sentence. So does a missing
 *   key if the database already had one, because devices would not send their work to a server with another key.
 *   `benchbook site new-key` makes a new key when the old one is lost.
 * - IDENTITY-10 Nodes on one PostgreSQL database share its key, which is in the database. If several start at once, one
 *   makes it, and all use the same.
 * - IDENTITY-11 If the database lacks the key, because an unencrypted backup was restored, it is taken from `server.key`
 *   in the data folder of the node that starts.
 * - IDENTITY-3 `GET /sync/1/identity` needs no token. It signs the nonce together with the origin, only for named
 *   origins: `--origin` (or `BENCHBOOK_ORIGINS`), the site's address, the address it listens on, and loopback.
 * - IDENTITY-4 For any other origin the answer has no signature, and `code` is `origin-not-named`.
 * - IDENTITY-6 Every account has an `accountid`, a UUID that no other account ever gets, however it was made: by
 *   registration, import, single sign-on, the command line, the demo, or an older version. Its owner reads it, with
 *   `serverid` when signing in and in `GET /user`. A station reads those of its people, in whose name it calls; nobody
 *   else reads any of a person.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Logger } from 'pino';

import { isLoopback, type IdentityAnswer } from '#shared/sync/identity.ts';
import { invalid } from '#shared/api/problem.ts';
import { ownOrigin, type Acting } from '#server/storage/audit/origin.ts';
import { lockFolder } from '#server/storage/folder-lock.ts';
import type { Storage } from '#server/storage/storage.ts';

import {
  hasServerKey,
  keyFileName,
  makeServerKey,
  newKeyText,
  protectServerKey,
  replaceServerKey,
  ServerKey,
} from './server-key.ts';

/** The name of the key in the database. */
const keyName = 'server';

const missingKey = (what: string): string =>
  `${what} is missing, by which devices know this server. Put it back from a backup. If it is lost, "benchbook site new-key" makes this another server: devices then keep what they have not sent yet to themselves.`;

interface IdentityDeps {
  dataDir: string;
  storage: Storage;
  acting: Acting;
  log: Logger;
  /** Origins for which the server signs. */
  named: () => readonly string[];
}

/** The key of this server, and its answers to devices that ask for it. */
export class Identity {
  readonly #deps: IdentityDeps;
  #key: Promise<ServerKey> | null = null;

  constructor(deps: IdentityDeps) {
    this.#deps = deps;
  }

  /**
   * The key, made at the first start. Throws an error for the administrator if it is missing or invalid (IDENTITY-2).
   */
  key(): Promise<ServerKey> {
    this.#key ??= this.#open();
    return this.#key;
  }

  /** The answer to a device that asks for the identity at `origin` (IDENTITY-3, IDENTITY-4). */
  async answer(nonce: string, origin: string): Promise<IdentityAnswer> {
    const key = await this.key();
    const about = { server: key.id, publicKey: key.publicKey };
    const isOurs = isLoopback(origin) || this.#deps.named().includes(origin);
    return isOurs
      ? { ...about, signature: key.sign(nonce, origin) }
      : { ...about, signature: null, code: 'origin-not-named' };
  }

  /**
   * Replaces a lost key. To devices this is another server then: they keep calls that wait for the previous one.
   * @throws Problem while a server runs on the folder
   */
  async replaceKey(): Promise<ServerKey> {
    using lock = lockFolder(this.#deps.dataDir);
    if (lock === null) throw invalid('data', 'a server is running on this data folder; stop it first');
    if (this.#deps.storage.kind === 'postgres') await this.#storeKey(newKeyText());
    else replaceServerKey(this.#deps.dataDir);
    this.#key = null;
    return this.key();
  }

  async #open(): Promise<ServerKey> {
    const known = await this.#knownId();
    const key =
      this.#deps.storage.kind === 'postgres' ? await this.#fromDatabase(known) : await this.#fromFile(known);
    if (known !== key.id) await this.#remember(key.id, known);
    return key;
  }

  /** The key in the database, which all nodes share. The first one makes it. */
  async #fromDatabase(known: string | null): Promise<ServerKey> {
    const pem = await this.#storedKey();
    if (pem !== undefined) return ServerKey.parse(pem);
    if (known !== null) return this.#broughtBack(known);
    await this.#storeKey(newKeyText());
    return ServerKey.parse((await this.#storedKey()) ?? '');
  }

  /** The key that an administrator put into the data folder because the database lacks it (IDENTITY-11). */
  async #broughtBack(known: string): Promise<ServerKey> {
    const path = join(this.#deps.dataDir, keyFileName);
    if (!hasServerKey(this.#deps.dataDir)) throw new Error(missingKey(path));
    const key = await ServerKey.read(this.#deps.dataDir);
    if (key.id !== known)
      throw new Error(`${path} is the key of another server. ${missingKey('The right one')}`);
    await this.#storeKey(readFileSync(path, 'utf8'));
    return key;
  }

  async #storedKey(): Promise<string | undefined> {
    const row = await this.#deps.storage.reader
      .selectFrom('server_keys')
      .select('pem')
      .where('name', '=', keyName)
      .executeTakeFirst();
    return row?.pem;
  }

  /** Stores a key. At the first start, the key of the first node stays. */
  async #storeKey(pem: string): Promise<void> {
    const { storage, acting } = this.#deps;
    const isFirst = (await this.#knownId()) === null;
    await storage.write(ownOrigin({ acting }, 'server key'), (tx) =>
      tx
        .insertInto('server_keys')
        .values({ name: keyName, pem })
        .onConflict((conflict) =>
          isFirst ? conflict.column('name').doNothing() : conflict.column('name').doUpdateSet({ pem }),
        )
        .execute(),
    );
  }

  async #fromFile(known: string | null): Promise<ServerKey> {
    const { dataDir, log } = this.#deps;
    if (!hasServerKey(dataDir)) {
      if (known !== null) throw new Error(missingKey('server.key'));
      makeServerKey(dataDir);
    }
    const protection = protectServerKey(dataDir);
    if (protection === 'made-private')
      log.warn('server.key was open to other accounts of this machine; its mode is 0600 now');
    if (protection === 'not-private')
      log.warn('server.key is open to other accounts of this machine; give it the mode 0600');
    return ServerKey.read(dataDir);
  }

  async #knownId(): Promise<string | null> {
    const row = await this.#deps.storage.reader
      .selectFrom('meta')
      .select('value')
      .where('name', '=', 'server')
      .executeTakeFirst();
    return row?.value ?? null;
  }

  async #remember(id: string, before: string | null): Promise<void> {
    const { storage, acting, log } = this.#deps;
    await storage.write(ownOrigin({ acting }, 'server key'), async (tx, note) => {
      await tx
        .insertInto('meta')
        .values({ name: 'server', value: id })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: id }))
        .execute();
      if (before === null) return;
      note.outcome = 'done';
      note.object = { kind: 'server', id };
      note.facts = { before };
    });
    if (before !== null)
      log.warn({ before, now: id }, 'this server has another key than before: to devices it is another one');
  }
}
