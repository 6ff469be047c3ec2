import { z } from 'zod';

import { databaseName, nameOf } from '../storage/database.ts';
import type { WaitingElsewhere } from '../api/sync-records.ts';
import { passOverFullDisk } from '../platform/full-disk.ts';
import type { AppendOptions, Journal } from '../journal/journal.ts';
import { keptWords, quarantinePrefix, keptIdOf } from './leaving/quarantine.ts';
import type { Platform } from '../journal/platform.ts';

/**
 * Everything that this device stores for one account on one server: a database and its part of the journal. `home`: its
 * name, which never changes, whatever it was derived from. `origin`: the last address of the server. `server`, `publicKey`,
 * `account`: the server and account that the home is bound to; null until the server has named them (ACCOUNT-1).
 */
// Properties that a newer version of the app added stay in the registry.
const homeRecord = z.looseObject({
  home: z.string().min(1),
  origin: z.string(),
  userid: z.int(),
  username: z.string(),
  server: z.string().nullable(),
  publicKey: z.string().nullable(),
  account: z.string().nullable(),
});
export type Home = z.infer<typeof homeRecord>;

/** Id of the registry in the journal's `meta`, and of its copy among the secrets. */
export const homesId = 'homes';

/** What earlier versions stored of homes: servers, and the person of the session. */
interface Known {
  servers: readonly string[];
  session: { server: string; home?: string | undefined; user: { userid: number; username: string } } | null;
}

/** How many user numbers are tried to identify a home of which only drafts remain. */
const triedNumbers = 300;

/** The registry of homes on this device: in the journal, with a copy among the secrets, since either may be lost (ACCOUNT-2). */
export class Homes {
  readonly #platform: Pick<Platform, 'secrets' | 'lock' | 'environment'>;
  readonly #journal: Journal;

  constructor(platform: Pick<Platform, 'secrets' | 'lock' | 'environment'>, journal: Journal) {
    this.#platform = platform;
    this.#journal = journal;
  }

  async all(): Promise<Home[]> {
    const { meta } = await this.#journal.entries();
    const journalled = parseHomes(meta.get(homesId));
    const names = new Set(journalled.map(({ home }) => home));
    const copied = parseHomes(jsonOf(await this.#platform.secrets.read(homesId)));
    return [...journalled, ...copied.filter(({ home }) => !names.has(home))];
  }

  /** Adds homes, or replaces those of the same name. */
  keep(...homes: readonly Home[]): Promise<void> {
    return this.#keep(homes);
  }

  async #keep(homes: readonly Home[], options?: AppendOptions): Promise<void> {
    if (homes.length === 0) return;
    await this.#platform.lock(homesId, async () => {
      const names = new Set(homes.map(({ home }) => home));
      const others = (await this.all()).filter(({ home }) => !names.has(home));
      const { meta } = await this.#journal.entries();
      const next = [...homes, ...others, ...unreadableHomes(meta.get(homesId))];
      await this.#journal.append([{ op: 'put', collection: 'meta', id: homesId, value: next }], options);
      const copying = this.#platform.secrets.write(homesId, JSON.stringify(next));
      await (options?.canWait === true ? copying.catch(passOverFullDisk) : copying);
    });
  }

  /** Takes a home out of the registry. */
  async forget(home: string): Promise<void> {
    await this.#platform.lock(homesId, async () => {
      const next = (await this.all()).filter((one) => one.home !== home);
      await this.#journal.append([{ op: 'put', collection: 'meta', id: homesId, value: next }]);
      await this.#platform.secrets.write(homesId, JSON.stringify(next));
    });
  }

  /**
   * Registers homes of an earlier version: that of its session, and those with work in the journal. Their names are hashes of
   * address and user number, which are found by trying.
   */
  async adopt({ servers, session }: Known): Promise<void> {
    const known = new Set((await this.all()).map(({ home }) => home));
    const found: Home[] = [];
    const enter = (home: string, origin: string, userid: number, username: string): void => {
      if (known.has(home)) return;
      known.add(home);
      found.push({ home, origin, userid, username, server: null, publicKey: null, account: null });
    };
    if (session !== null) {
      const { server, user } = session;
      enter(session.home ?? (await databaseName(server, user.userid)), server, user.userid, user.username);
    }
    const strangers = [...(await this.#usersByHome(known))];
    if (strangers.length > 0) {
      const numbers = Array.from({ length: triedNumbers }, (_, index) => index + 1);
      const userids = new Set([...strangers.flatMap(([, users]) => [...users]), ...numbers]);
      const names = new Set(strangers.map(([home]) => home));
      for (const server of servers)
        for (const userid of userids) {
          const name = await databaseName(server, userid);
          if (names.has(name)) enter(name, server, userid, '');
        }
    }
    await this.#keep(found, { canWait: true });
  }

  /** A name for a new home: the same each time for one account on one server, unless that name is taken. */
  async newName(
    account: { server: string; account: string } | { origin: string; userid: number },
  ): Promise<string> {
    const taken = new Set((await this.all()).map(({ home }) => home));
    const first =
      'account' in account
        ? await nameOf(`${account.server}\n${account.account}`)
        : await databaseName(account.origin, account.userid);
    return taken.has(first) ? nameOf(`${first}\n${this.#platform.environment.uuid()}`) : first;
  }

  /** The waiting changes in homes that are not open (ACCOUNT-9). `open`: the open one. */
  async waitingElsewhere(open: string | undefined): Promise<WaitingElsewhere[]> {
    const homes = new Map((await this.all()).map((one) => [one.home, one]));
    return [...(await this.waiting(open))].map(([home, changes]) => ({
      home,
      server: homes.get(home)?.origin ?? null,
      username: homes.get(home)?.username ?? '',
      changes,
    }));
  }

  /**
   * Number of waiting changes in each home: calls that the server does not have, drafts without such a call, and records
   * with kept words (ACCOUNT-9). Unreadable ones count too. `except`: the home of the open session, which counts its own.
   */
  async waiting(except: string | null = null): Promise<Map<string, number>> {
    const { values: calls } = await this.#journal.changes('outbox', 0);
    const { values: drafts } = await this.#journal.changes('drafts', 0);
    const { values: meta } = await this.#journal.changes('meta', 0);
    const things = new Map<string, Set<string>>();
    const note = (home: string, thing: string): void => {
      things.set(home, (things.get(home) ?? new Set()).add(thing));
    };
    const saved = new Set<string>();
    for (const { home, id, call } of callsOf(calls, (one) => one !== except)) {
      if (call?.state === 'done') continue;
      note(home, id);
      if (call !== null) saved.add(`${home}/${call.target.id}`);
    }
    for (const [id, value] of meta) {
      const [, home = ''] = id.split('/');
      if (home === except || !id.startsWith(quarantinePrefix(home))) continue;
      const { data } = waitingWords.safeParse(value);
      if (data?.isOnServer !== true) note(home, data === undefined ? id : keptIdOf(data));
    }
    for (const id of drafts.keys()) {
      const [home = ''] = id.split('/', 1);
      const draft = id.replace(/\+\d+$/, '');
      if (home !== except && !saved.has(draft)) note(home, draft);
    }
    return new Map([...things].map(([home, { size }]) => [home, size]));
  }

  /** The calls of a home that the server does not have; null: one that this version cannot read. */
  async callsIn(home: string): Promise<FoundCall['call'][]> {
    const { values } = await this.#journal.changes('outbox', 0);
    const found = callsOf(values, (one) => one === home).map(({ call }) => call);
    return found.filter((call) => call?.state !== 'done');
  }

  /** Homes with work that are not among `known`, with the user numbers of their calls. */
  async #usersByHome(known: ReadonlySet<string>): Promise<Map<string, Set<number>>> {
    const { values: calls } = await this.#journal.changes('outbox', 0);
    const { values: drafts } = await this.#journal.changes('drafts', 0);
    const users = new Map<string, Set<number>>();
    for (const { home, call } of callsOf(calls, (one) => !known.has(one))) {
      const found = users.get(home) ?? new Set();
      users.set(home, call === null ? found : found.add(call.userid));
    }
    for (const id of drafts.keys()) {
      const [home = ''] = id.split('/', 1);
      if (!known.has(home)) users.set(home, users.get(home) ?? new Set());
    }
    return users;
  }
}

/** The part of a waiting call that is read here; the outbox reads the rest. */
const waitingCall = z.object({
  home: z.string(),
  call: z.object({
    id: z.string(),
    userid: z.int(),
    state: z.string(),
    target: z.object({ id: z.string() }),
  }),
});

/** The same part of kept words. */
const waitingWords = keptWords.pick({ collection: true, recordid: true, uid: true, isOnServer: true });

const anyCall = z.object({ home: z.string() });

interface FoundCall {
  home: string;
  id: string;
  /** Null: this version of the app cannot read it. */
  call: z.infer<typeof waitingCall>['call'] | null;
}

/** Calls of the wanted homes. Others are skipped early, since there may be tens of thousands. */
function callsOf(calls: ReadonlyMap<string, unknown>, isWanted: (home: string) => boolean): FoundCall[] {
  return [...calls].flatMap(([id, value]): FoundCall[] => {
    const { data } = anyCall.safeParse(value);
    if (data === undefined || !isWanted(data.home)) return [];
    return [{ home: data.home, id, call: waitingCall.safeParse(value).data?.call ?? null }];
  });
}

/** The homes in a registry; unreadable ones are skipped. */
function parseHomes(value: unknown): Home[] {
  return listIn(value).flatMap((one) => homeRecord.safeParse(one).data ?? []);
}

/** Unreadable homes of a newer version, which stay in the registry. */
function unreadableHomes(value: unknown): unknown[] {
  return listIn(value).filter((one) => !homeRecord.safeParse(one).success);
}

function listIn(value: unknown): unknown[] {
  return z.array(z.unknown()).safeParse(value).data ?? [];
}

function jsonOf(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
