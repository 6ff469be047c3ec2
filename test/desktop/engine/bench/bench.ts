import { randomUUID } from 'node:crypto';

import { BehaviorSubject, of } from 'rxjs';

import { createActions } from '#desktop/engine/actions/index.ts';
import type { Actions, Views } from '#desktop/engine/engine.ts';
import { memoryArchiveFiles } from '#desktop/engine/journal/archive-files.ts';
import type { Core } from '#desktop/engine/account/core.ts';
import type { DraftStore, ConflictHandler, OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { Journal } from '#desktop/engine/journal/journal.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { memoryMediaStore } from '#desktop/engine/features/media/store.ts';
import type { Answer } from '#desktop/engine/outbox/answers.ts';
import { nextBatch } from '#desktop/engine/outbox/lanes.ts';
import { JournaledOutbox } from '#desktop/engine/outbox/outbox.ts';
import { ResponseHandler } from '#desktop/engine/outbox/response-handler.ts';
import { withRealIds } from '#shared/sync/temporary-ids.ts';
import type { MediaStore, Platform, SpaceOfDevice, TabWords } from '#desktop/engine/journal/platform.ts';
import { closeServices } from '#desktop/engine/features/services.ts';
import { SupportLog } from '#desktop/engine/journal/support-log.ts';
import { ArchiveRows } from '#desktop/engine/storage/archive-rows.ts';
import { createViews } from '#desktop/engine/views/index.ts';
import type { FeedRow } from '#shared/sync/wire.ts';
import type { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';

import {
  clockOf,
  environmentOf,
  idle,
  journalledDrafts,
  lock,
  nothingLeaves,
  sessionOf,
} from './core-stand-ins.ts';
import { settled } from './live-values.ts';
import { MemoryMirror } from './memory-mirror.ts';

export interface BenchOptions {
  userid?: number;
  /** A disk that survives a restart. */
  disk?: Map<string, Uint8Array>;
  media?: MediaStore;
  /** Settles when the files of the app itself are stored on the device. */
  appKept?: Promise<void>;
  space?: SpaceOfDevice;
  /** Whether the device is online. */
  online?: BehaviorSubject<boolean>;
  /** The database of archives; without it, there are none. */
  archives?: Platform['storage'];
  /** Whether the device has every record; it has by default. */
  complete?: BehaviorSubject<boolean>;
  /** The records of other homes on this device, as text. */
  others?: readonly string[];
  /** A journal, locks and words that this tab shares with others. Only one tab leads. */
  journal?: Journal;
  lock?: Platform['lock'];
  tabs?: TabWords;
  leads?: boolean;
  /** Answers requests for media. */
  request?: (path: string, init?: RequestInit) => Promise<Response>;
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
    const { online } = options;
    const environment = {
      ...environmentOf(server, options.skew ?? 0),
      ...(online === undefined ? {} : { online }),
    };
    const session = sessionOf(this.#userid);
    this.core = {
      environment,
      clock: clockOf(environment, options.skew ?? 0),
      mirror: this.mirror,
      outbox,
      drafts: { ...drafts, own: () => drafts },
      journal,
      media: options.media ?? memoryMediaStore(),
      space: options.space,
      diskWaits: of(0),
      appKept: options.appKept,
      archives: {
        openFiles: async () => memoryArchiveFiles(),
        openRows: () =>
          options.archives === undefined
            ? Promise.reject(new Error('There are no archives in this test'))
            : ArchiveRows.open(options.archives, false),
      },
      lock: options.lock ?? ((_, run) => run()),
      tabs: options.tabs,
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
        count: async () => 1 + (options.others ?? []).length,
        read: async () => undefined,
        readOthers: async (take) => (options.others ?? []).forEach(take),
        finishRemoval: async () => undefined,
        scrub: async () => undefined,
      },
      appVersion: '',
      station: {
        state: of(null),
        present: () => null,
        enrol: () => Promise.reject(new Error('There are no stations in this test')),
        leave: () => Promise.reject(new Error('There are no stations in this test')),
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
        leads: of(options.leads ?? true),
        complete: options.complete ?? of(true),
      },
      insecure: false,
      request: (path, init) =>
        options.request?.(path, init) ?? Promise.resolve(new Response(null, { status: 503 })),
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
    const journal =
      options.journal ??
      (await openJournal(memoryStore({}, disk), { now: () => server.now, uuid: () => randomUUID() }));
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
