import { z } from 'zod';

import { impersonator } from '#shared/model/session.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { Session } from '../api/sync-records.ts';
import { damageId, newDamage, parseDamage, type ToldDamage } from '../journal/damage.ts';
import type { AppendOptions, Journal, JournalRecord } from '../journal/journal.ts';
import type { Platform } from '../journal/platform.ts';
import { passOverFullDisk } from '../platform/full-disk.ts';
import { databaseName, nameOf } from '../storage/database.ts';
import { jsonIn } from '../sync/recognise.ts';
import type { Home } from './home.ts';

// Properties that a newer version of the app adds do not end the session.
const ownSession = z.object({
  server: z.string(),
  /** The person's home on this device; earlier versions named it after server and user. */
  home: z.string().optional(),
  user: z.object({
    userid: z.int(),
    username: z.string(),
    privileges: z.array(z.string()),
    impersonator: impersonator.optional(),
  }),
});
const storedSession = ownSession.extend({
  /** The administrator's own session, restored when they stop acting as another person. */
  actsFrom: ownSession.optional(),
});
export type StoredSession = z.infer<typeof storedSession>;

/** A session whose home is known. */
export type SessionOfHome = StoredSession & { home: string };

const sessionId = 'session';
const serversId = 'servers';
const lossId = 'loss';

/** Which of the two stores of this device was cleared while the other remained. */
const storeLoss = z.enum(['journal', 'databases']);

/** Secret with the copy of servers and session. It is outside the journal, so each shows when the other is lost. */
const copyName = 'session';
const sessionCopy = z.object({ servers: z.array(z.string()), session: storedSession.nullable() });
type SessionCopy = z.infer<typeof sessionCopy>;

/** The stored session and its token. */
export type Known = SessionCopy & { token: string | null };

type Stored = Known & { loss: Session['loss']; damage: ToldDamage | null };

/**
 * Servers and session as they are stored. The token is in the platform's secret store. The rest is in the journal's
 * `meta`, with a copy among the secrets: each restores what the other lost, and the person is told (OUTBOX-9).
 */
export class SessionStore {
  readonly #platform: Platform;
  readonly #journal: Journal;

  constructor(platform: Platform, journal: Journal) {
    this.#platform = platform;
    this.#journal = journal;
  }

  async read(): Promise<Stored> {
    const { values: meta } = await this.#journal.changes('meta', 0);
    const servers = z.array(z.string()).catch([]).parse(meta.get(serversId));
    const session = storedSession.safeParse(meta.get(sessionId)).data ?? null;
    const loss = storeLoss.safeParse(meta.get(lossId)).data ?? null;
    const damage = parseDamage(meta.get(damageId));
    return { servers, session, token: await this.tokenOf(session), loss, damage };
  }

  /** The same, after journal and secrets have restored what one of them lost. */
  recovered(): Promise<Stored> {
    return this.#platform.lock('session', () => this.#recovered());
  }

  /** The token of a session; null without one. */
  async tokenOf(session: StoredSession | null): Promise<string | null> {
    if (session === null) return null;
    const { secrets } = this.#platform;
    const own = await secrets.read(await secretName(await withHome(session)));
    if (own !== undefined || session.home !== undefined) return own ?? null;
    return (await secrets.read(await earlierSecretName(session.server, session.user.userid))) ?? null;
  }

  /** Stores a session and its token. */
  async write(session: SessionOfHome, servers: string[], token: string): Promise<void> {
    await this.#platform.secrets.write(await secretName(session), token);
    await this.#journal.append([entry(sessionId, session), entry(serversId, servers)]);
    await this.#writeCopy({ servers, session });
  }

  /** Stores the session `last` again in place of one that could not be opened, and forgets the token of the latter. */
  async putBack(
    { session: last, token }: Known,
    { home, server }: Pick<SessionOfHome, 'home' | 'server'>,
    servers: string[],
  ): Promise<void> {
    const isSamePlace = last?.home === home && last.server === server;
    // On a full disk each may fail. One that succeeds is enough for the next start.
    const results = await Promise.allSettled([
      token !== null && isSamePlace
        ? this.#platform.secrets.write(await secretName({ home, server }), token)
        : this.forgetToken({ home, origin: server }),
      this.#writeCopy({ servers, session: last }),
      this.#journal.append([
        last === null ? { op: 'delete', collection: 'meta', id: sessionId } : entry(sessionId, last),
      ]),
    ]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  /** Forgets the stored session and its token. */
  async forget(session: { server: string; home: string; userid: number }, servers: string[]): Promise<void> {
    const { server, home, userid } = session;
    // The copy goes first: a session that only the copy has is one that the journal lost.
    await this.#writeCopy({ servers, session: null });
    await this.#journal.append([{ op: 'delete', collection: 'meta', id: sessionId }]);
    await this.forgetToken({ home, origin: server });
    await this.#platform.secrets.remove(await earlierSecretName(server, userid));
  }

  /** Forgets the token for a home at an address. */
  async forgetToken({ home, origin }: Pick<Home, 'home' | 'origin'>): Promise<void> {
    await this.#platform.secrets.remove(await secretName({ home, server: origin }));
  }

  /**
   * Stores again what was a secret before encryption, and is a secret now, which encrypts it (CIPHER-4). `names`: of further
   * secrets. Rejects on a full disk.
   */
  async encryptSecrets(names: readonly string[]): Promise<void> {
    const { secrets } = this.#platform;
    const { session } = await this.read();
    const tokens = [];
    for (const one of [session, session?.actsFrom ?? null])
      if (one !== null)
        tokens.push(
          await secretName(await withHome(one)),
          await earlierSecretName(one.server, one.user.userid),
        );
    for (const name of [copyName, ...names, ...tokens]) {
      const secret = await secrets.read(name);
      if (secret !== undefined) await secrets.write(name, secret);
    }
  }

  forgetLoss(): Promise<void> {
    return this.#journal.forget('meta', [lossId]);
  }

  async damage(): Promise<ToldDamage | null> {
    const { values } = await this.#journal.changes('meta', 0);
    return parseDamage(values.get(damageId));
  }

  /** Changes the stored report of damage. Resolves to the new one; null when nothing changed. */
  async changeDamage(
    change: (damage: ToldDamage) => ToldDamage,
    options?: AppendOptions,
  ): Promise<ToldDamage | null> {
    const damage = await this.damage();
    const value = damage === null ? null : change(damage);
    if (value === damage || value === null) return null;
    await this.#journal.append([entry(damageId, value)], options);
    return value;
  }

  async #recovered(): Promise<Stored> {
    const stored = await this.read();
    const { writable } = this.#journal.health();
    const text = await this.#platform.secrets.read(copyName);
    const copy = parseCopy(text);
    const damage = newDamage(this.#journal.health(), stored.damage);
    const known = { ...stored, damage: damage ?? stored.damage };
    const mended = copy === null ? null : await this.#mended(known, copy, damage !== null);
    // One append: noted damage is not found again, so what the copy restores must be stored together with the note.
    const records = [
      ...(damage === null ? [] : [entry(damageId, damage)]),
      ...(mended === null ? [] : entriesOf(mended)),
    ];
    // A journal that a newer version wrote is only read; its losses are reported all the same.
    if (records.length > 0 && writable) await this.#journal.append(records, { canWait: true });
    return mended ?? this.#withCopy(known, copy, text !== undefined);
  }

  /**
   * The copy in place of what the journal lost; null: it lost nothing. A sign-out empties the copy before the journal, so
   * the journal lost a session that only the copy has. Where damage may have taken a session, the copy's counts too (OUTBOX-41).
   */
  async #mended(stored: Stored, copy: SessionCopy, isDamaged: boolean): Promise<Stored | null> {
    const { servers, session, loss } = stored;
    const token = await this.tokenOf(copy.session);
    if (servers.length === 0) return { ...stored, ...copy, token, loss: isDamaged ? loss : 'journal' };
    const mayBeLost = session === null || (isDamaged && !sameValue(session, copy.session));
    return mayBeLost && token !== null ? { ...stored, ...copy, token } : null;
  }

  /** What the journal has, after it has restored what the secrets lost of it. */
  async #withCopy(stored: Stored, copy: SessionCopy | null, isCopied: boolean): Promise<Stored> {
    const { servers, session, token } = stored;
    // A session without a token could not be opened. The copy names the one before it, which a full journal did not store.
    if (session !== null && token === null && copy !== null && copy.session?.home !== session.home)
      return { ...stored, session: copy.session, token: await this.tokenOf(copy.session) };
    if (servers.length === 0) return stored;
    if (isCopied) {
      // The app ended between the two writes. If the copy cannot be stored now, the next start tries again.
      if (copy !== null && token !== null && !sameValue(session, copy.session))
        await this.#writeCopy({ servers, session }).catch(() => undefined);
      // A copy that cannot be read does not mean that the databases were cleared.
      return stored;
    }
    // If the note cannot be journalled, the next start finds the copy missing again.
    await this.#journal
      .append([entry(lossId, 'databases')])
      .then(() => this.#writeCopy({ servers, session }))
      .catch(passOverFullDisk);
    return { ...stored, loss: 'databases' };
  }

  async #writeCopy(copy: SessionCopy): Promise<void> {
    await this.#platform.secrets.write(copyName, JSON.stringify(copy));
  }
}

function entry(id: string, value: unknown): JournalRecord {
  return { op: 'put', collection: 'meta', id, value };
}

/** Entries that give servers and session back to the journal, and note that it had lost them. */
function entriesOf({ servers, session, loss }: Stored): JournalRecord[] {
  return [
    entry(serversId, servers),
    ...(session === null ? [] : [entry(sessionId, session)]),
    ...(loss === null ? [] : [entry(lossId, loss)]),
  ];
}

function parseCopy(text: string | undefined): SessionCopy | null {
  return text === undefined ? null : (sessionCopy.safeParse(jsonIn(text)).data ?? null);
}

/** The session with its home; a session of an earlier version has the home that was named after server and user. */
export async function withHome(session: StoredSession): Promise<SessionOfHome> {
  return { ...session, home: session.home ?? (await databaseName(session.server, session.user.userid)) };
}

/** A token is for one home at one address (ACCOUNT-6). */
async function secretName({ home, server }: Pick<SessionOfHome, 'home' | 'server'>): Promise<string> {
  return `token-${await nameOf(`${home}\n${server}`)}`;
}

async function earlierSecretName(server: string, userid: number): Promise<string> {
  return `token-${await databaseName(server, userid)}`;
}
