import { randomBytes, randomUUID } from 'node:crypto';

import { BehaviorSubject, NEVER, of } from 'rxjs';

import type { Core } from '#desktop/engine/account/core.ts';
import type { LeavingControl } from '#desktop/engine/account/leaving/home-leaving.ts';
import type { Session, SyncState } from '#desktop/engine/api/sync-records.ts';
import type { Journal } from '#desktop/engine/journal/journal.ts';
import type { DraftStore, Environment } from '#desktop/engine/platform/ports.ts';
import type { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';

/** The state of a device that has nothing to sync. */
export const idle: SyncState = {
  connection: 'online',
  phase: 'idle',
  progress: null,
  lastSyncedAt: null,
  pending: 0,
  parked: 0,
  conflicts: 0,
  needsSignIn: false,
  interference: null,
  tooOld: null,
  waitUntil: null,
  trouble: null,
  troubleDetail: null,
};

/** Time, randomness and network of a device. `skew`: device clock minus server clock, ms. */
export function environmentOf(server: StandInServer, skew: number): Environment {
  const began = server.now;
  return {
    now: () => server.now + skew,
    monotonic: () => server.now - began + 1000,
    pageSession: randomUUID(),
    uuid: () => randomUUID(),
    random: () => 0.5,
    randomBytes: (size) => new Uint8Array(randomBytes(size)),
    fetch: () => Promise.reject(new Error('No network in this test')),
    setTimer: (run, ms) => {
      const timer = setTimeout(run, Math.min(ms, 3));
      return () => clearTimeout(timer);
    },
    online: new BehaviorSubject(true),
  };
}

/** The clock of a device that knows its `skew`. */
export function clockOf(environment: Environment, skew: number): Core['clock'] {
  const { pageSession: session } = environment;
  return {
    offset: () => -skew,
    serverNow: () => environment.now() - skew,
    moment: () => ({ at: environment.now(), mono: environment.monotonic(), session, offset: -skew }),
  };
}

/** The session of a signed-in person. */
export function sessionOf(userid: number): BehaviorSubject<Session> {
  const user = { userid, username: `person ${userid}`, privileges: ['User', 'Author'] };
  return new BehaviorSubject<Session>({
    server: 'http://bench.test',
    servers: [],
    user,
    status: 'signed-in',
    loss: null,
    home: 'bench',
    homes: ['bench'],
    elsewhere: [],
    damage: null,
  });
}

/** Drafts that only the journal stores. */
export async function journalledDrafts(journal: Journal): Promise<DraftStore> {
  const { drafts } = await journal.entries();
  const values = new Map(drafts);
  const ids = new BehaviorSubject<readonly string[]>([...values.keys()]);
  return {
    ids,
    get: (id) => Promise.resolve(values.get(id)),
    async put(id, value) {
      await journal.append([{ op: 'put', collection: 'drafts', id, value }]);
      values.set(id, value);
      ids.next([...values.keys()]);
    },
    async remove(id) {
      await journal.append([{ op: 'delete', collection: 'drafts', id }]);
      values.delete(id);
      ids.next([...values.keys()]);
    },
  };
}

/** A lock of one process: work runs one after the other. */
export function lock(): <T>(name: string, run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (_name, run) => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
}

/** An incomplete mirror reports no record that left. */
export const nothingLeaves: LeavingControl = {
  whereabouts: async () => ({ removed: [], absent: [], uids: new Map() }),
  history: async () => null,
  bodies: async function* () {},
  sentCalls: async () => [],
  rewriteSent: async () => undefined,
  kept: of([]),
  unreadable: of([]),
  keep: async () => [],
  rewrite: async () => undefined,
  release: async () => undefined,
  rebuilt: NEVER,
  mark: async () => undefined,
  dropMedia: async () => undefined,
  purge: async () => undefined,
};
