import { randomBytes, randomUUID } from 'node:crypto';

import { BehaviorSubject, NEVER, of } from 'rxjs';

import { createActions } from '#desktop/engine/actions/index.ts';
import type { Actions, Live, Views } from '#desktop/engine/engine.ts';
import { memoryArchiveFiles } from '#desktop/engine/journal/archive-files.ts';
import type { Core } from '#desktop/engine/account/core.ts';
import type { DraftStore, ConflictHandler, Environment, OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { LeavingControl } from '#desktop/engine/account/leaving/home-leaving.ts';
import type { Journal } from '#desktop/engine/journal/journal.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { memoryMediaStore } from '#desktop/engine/features/media/store.ts';
import type { Answer } from '#desktop/engine/outbox/answers.ts';
import { nextBatch } from '#desktop/engine/outbox/lanes.ts';
import { JournaledOutbox } from '#desktop/engine/outbox/outbox.ts';
import { ResponseHandler } from '#desktop/engine/outbox/response-handler.ts';
import { withRealIds } from '#shared/sync/temporary-ids.ts';
import type { MediaStore } from '#desktop/engine/journal/platform.ts';
import { closeServices } from '#desktop/engine/features/services.ts';
import { SupportLog } from '#desktop/engine/journal/support-log.ts';
import { createViews } from '#desktop/engine/views/index.ts';
import type { Session, SyncState } from '#desktop/engine/api/sync-records.ts';
import type { FeedRow } from '#shared/sync/wire.ts';

import { MemoryMirror } from './memory-mirror.ts';
import type { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';

const idle: SyncState = {
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

export interface BenchOptions {
  userid?: number;
  /** A disk that survives a restart. */
  disk?: Map<string, Uint8Array>;
  media?: MediaStore;
  /** Settles when the files of the app itself are stored on the device. */
  appKept?: Promise<void>;
  /** Answers requests for media. */
  request?: (path: string) => Promise<Response>;
  /** Device clock minus server clock, ms. */
  skew?: number;
}

/**
 * One device against a server in memory: real outbox, drafts, journal, views and actions; time stands still between
 * steps.
 */
export class Bench {
  readonly core: Core;
  readonly views: Views;
  readonly actions: Actions;
  readonly mirror = new MemoryMirror();
  readonly outbox: JournaledOutbox;
  readonly disk: Map<string, Uint8Array>;
  readonly #server: StandInServer;
  readonly #responseHandler: ResponseHandler;
  readonly #userid: number;
  #handler: ConflictHandler | null = null;

  private constructor(
    server: StandInServer,
    outbox: JournaledOutbox,
    journal: Journal,
    drafts: DraftStore,
    disk: Map<string, Uint8Array>,
    options: BenchOptions,
  ) {
    this.#server = server;
    this.#userid = options.userid ?? 1;
    this.outbox = outbox;
    this.disk = disk;
    const environment = environmentOf(server, options.skew ?? 0);
    const session = sessionOf(this.#userid);
    this.core = {
      environment,
      clock: clockOf(environment, options.skew ?? 0),
      mirror: this.mirror,
      outbox,
      drafts: { ...drafts, own: () => drafts },
      journal,
      media: options.media ?? memoryMediaStore(),
      appKept: options.appKept,
      archives: {
        openFiles: async () => memoryArchiveFiles(),
        openRows: () => Promise.reject(new Error('There are no archives in this test')),
        lock: (_, run) => run(),
      },
      leaving: nothingLeaves,
      log: new SupportLog(journal, environment),
      work: {
        owner: () => null,
        home: () => null,
        take: (calls) => outbox.take(calls),
        learnIds: (ids) => outbox.learnIds(ids),
      },
      homes: {
        erased: async () => [],
        count: async () => 1,
        read: async () => undefined,
        finishRemoval: async () => undefined,
        scrub: async () => undefined,
      },
      session: {
        state: session,
        current: () => session.value,
        signIn: () => Promise.resolve(),
        noteLossSeen: () => Promise.resolve(),
        missingNames: () => Promise.resolve([]),
        forgetNames: () => Promise.resolve(false),
        signOut: () => Promise.resolve(session.next({ ...session.value, user: null, status: 'signed-out' })),
      },
      sync: {
        state: new BehaviorSubject(idle),
        now: () => undefined,
        check: () => Promise.resolve({ records: 0, differences: [] }),
        leads: of(true),
      },
      insecure: false,
      request: (path) => options.request?.(path) ?? Promise.resolve(new Response(null, { status: 503 })),
      held: () => this.core,
      mustHold: () => undefined,
      beforeLeaving: () => undefined,
      handleConflicts: (handler) => (this.#handler = handler),
    };
    this.#responseHandler = new ResponseHandler({
      environment,
      steadyNow: () => environment.now(),
      outbox,
      feed: async (rows) => {
        await this.#feed(rows);
        return true;
      },
      conflicts: () => this.#handler,
      askRound: () => undefined,
    });
    this.views = createViews(this.core);
    this.actions = createActions(this.core);
  }

  static async open(server: StandInServer, options: BenchOptions = {}): Promise<Bench> {
    const disk = options.disk ?? new Map<string, Uint8Array>();
    const journal = await openJournal(memoryStore({}, disk), {
      now: () => server.now,
      uuid: () => randomUUID(),
    });
    const outbox = await JournaledOutbox.open({
      environment: environmentOf(server, options.skew ?? 0),
      journal,
      // The database's copy of the outbox; this device has none.
      stored: {
        read: () => Promise.resolve([]),
        count: () => Promise.resolve(0),
        texts: () => Promise.resolve(new Map()),
        write: () => Promise.resolve(),
        watchOthers: () => () => undefined,
      },
      home: 'bench',
      userid: options.userid ?? 1,
      multiInstance: false,
      lock: lock(),
      reading: { noteTrouble: () => undefined, noteSuccess: () => undefined },
      noteSuccess: () => undefined,
      noteTrouble: (error) => {
        throw error;
      },
    });
    const bench = new Bench(server, outbox, journal, await journalledDrafts(journal), disk, options);
    await bench.pull();
    return bench;
  }

  /** Pulls changes from the server. */
  async pull(): Promise<void> {
    const rows = this.#server.rowsAfter(this.mirror.seq);
    this.mirror.seq = rows.at(-1)?.seq ?? this.mirror.seq;
    await this.#feed(rows);
  }

  /** Sends all sendable calls, one at a time, then pulls. `before` runs before each call. */
  async sync(before?: (call: OutboxCall) => Promise<void> | void): Promise<void> {
    for (let turn = 0; turn < 200; turn += 1) {
      const { calls, uploads } = nextBatch(this.outbox.index, Number.MAX_SAFE_INTEGER);
      const call = [...uploads, ...calls][0];
      if (call === undefined) break;
      await before?.(call);
      await this.deliver(call, await this.send(call));
    }
    await this.pull();
  }

  /** Marks a call as being sent, and runs it on the server. */
  async send(call: OutboxCall): Promise<Answer> {
    await this.outbox.update((calls) => ({
      put: [calls.get(call.id) ?? []]
        .flat()
        .map((one) => ({ ...one, state: 'sending', tries: one.tries + 1 })),
    }));
    const sent = this.outbox.get(call.id) ?? call;
    return this.#server.call(
      withRealIds(sent, (id) => this.outbox.realId(id)),
      this.#userid,
    );
  }

  /** Delivers the response of a call. */
  async deliver(call: OutboxCall, answer: Answer): Promise<void> {
    const present = this.outbox.get(call.id);
    if (present !== undefined) await this.#responseHandler.settle(present, answer);
    await settled();
  }

  /** Kills the process without warning and opens a new one on the same disk. */
  async crash(): Promise<Bench> {
    const copy = new Map([...this.disk].map(([name, bytes]) => [name, bytes.slice()]));
    return Bench.open(this.#server, { userid: this.#userid, disk: copy });
  }

  async close(): Promise<void> {
    await closeServices(this.core);
    await this.core.journal.close();
  }

  async #feed(rows: FeedRow[]): Promise<void> {
    await this.#responseHandler.onRowsReceived(rows);
    this.mirror.store(rows);
    await this.#responseHandler.onRowsStored(rows, this.mirror.seq, null);
    await settled();
  }
}

/** Runs a long chain of promises and short timers, however slow the machine is. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve, 3));
}

/** The current value of a live value, or the first one if there is none yet. */
export async function now<T>(live: Live<T>): Promise<T> {
  await settled();
  return new Promise((resolve, reject) => {
    let value: T;
    let stop = (): void => undefined;
    const first = new Promise<void>((found, fail) => {
      stop = live.subscribe((next) => {
        value = next;
        found();
      }, fail);
    });
    Promise.all([first, settled()])
      .then(() => resolve(value), reject)
      .finally(() => stop());
  });
}

function environmentOf(server: StandInServer, skew: number): Environment {
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

function clockOf(environment: Environment, skew: number): Core['clock'] {
  const { pageSession: session } = environment;
  return {
    offset: () => -skew,
    serverNow: () => environment.now() - skew,
    moment: () => ({ at: environment.now(), mono: environment.monotonic(), session, offset: -skew }),
  };
}

function sessionOf(userid: number): BehaviorSubject<Session> {
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

async function journalledDrafts(journal: Journal): Promise<DraftStore> {
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

function lock(): <T>(name: string, run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (_name, run) => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
}

/** Collects the values of a live value while the test runs. */
export function follow<T>(live: Live<T>): { values: T[]; stop: () => void } {
  const values: T[] = [];
  const stop = live.subscribe(
    (value) => values.push(value),
    (error) => {
      throw error;
    },
  );
  return { values, stop };
}

/** An incomplete mirror reports no record that left. */
const nothingLeaves: LeavingControl = {
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
