import type { ByteSource } from '#shared/formats/omanual/source.ts';
import type { FeedRow } from '#shared/sync/wire.ts';

import type { Journal } from '../journal/journal.ts';
import type { Platform } from '../journal/platform.ts';
import { keysKnown } from '../outbox/ask-answers.ts';
import { offerAgain } from '../outbox/offer.ts';
import { recoveredIds } from '../outbox/recovered-ids.ts';
import { ResponseHandler } from '../outbox/response-handler.ts';
import { Sender } from '../outbox/sender.ts';
import type { ConflictHandler } from '../platform/ports.ts';
import { mirrorOf, type EngineDatabase } from '../storage/database.ts';
import { OtherServer, Impostor, Unreachable } from '../sync/connection-errors.ts';
import type { RxMirror } from '../sync/mirror/mirror.ts';
import { Replicator } from '../sync/mirror/replicator.ts';
import type { ServerConnection } from '../sync/server-connection.ts';
import type { Contact } from './contact.ts';
import { type HomeStores, uidOf } from './home-stores.ts';
import type { HomeLeaving } from './leaving/home-leaving.ts';
import { type LeavingMark, takesAway } from './leaving/mark.ts';
import type { Sessions } from './session.ts';

export interface HomeSyncDeps {
  platform: Platform;
  journal: Journal;
  /** How often something was saved in the journal. */
  saves: () => number;
  sessions: Sessions;
  /** Decides about 409s; null while the app starts. */
  conflicts: () => ConflictHandler | null;
  /** The file of an archive that a call names; null when this device does not have it any more. */
  archive: (fileId: string) => Promise<ByteSource | null>;
}

/** The parts of an open home that sync works on. */
export interface SyncedHome extends HomeStores {
  database: EngineDatabase;
  mirror: RxMirror;
  connection: ServerConnection;
  contact: Contact;
  leaving: HomeLeaving;
  mark: LeavingMark;
  /** Called while an initial load goes on, to tell other tabs. */
  beat: () => void;
}

/** Pulls the feed into the mirror and sends the outbox, for one home. Runs in the leading tab only. */
export class HomeSync {
  readonly replicator: Replicator;
  readonly sender: Sender;
  readonly #deps: HomeSyncDeps;
  readonly #home: SyncedHome;
  readonly #responseHandler: ResponseHandler;

  constructor(deps: HomeSyncDeps, home: SyncedHome) {
    const { environment } = deps.platform;
    const { connection, contact, database, outbox, mark, leaving, troubles, beat } = home;
    this.#deps = deps;
    this.#home = home;
    const clockAtStart = environment.now() - environment.monotonic();
    const steadyNow = (): number => clockAtStart + environment.monotonic();
    const noteExpired = (token: string | null): void => deps.sessions.expire(token);
    const maySync = (): boolean => this.#isSignedIn();
    const pulling = troubles.of('pulling');
    this.replicator = new Replicator({
      environment,
      connection,
      database,
      missed: home.mirror.missed,
      saves: deps.saves,
      maySync,
      meet: () => this.meet(),
      doubt: () => contact.doubt(),
      noteExpired,
      ...pulling,
      noteTrouble: (error) => {
        if (!isOtherServer(error)) pulling.noteTrouble(error);
      },
      beat,
      onRowsReceived: async (rows) => {
        if (rows.some(takesAway)) await mark.set(environment.now());
        await this.#responseHandler.onRowsReceived(rows);
      },
      leaving: () => mark.set(environment.now()),
      stored: (rows, place, roundStartedAt) => this.#stored(rows, place, roundStartedAt),
      rebuilt: () => this.#offerAgain(),
      goOn: () => {
        this.sender.now();
        leaving.rebuilt.next();
      },
    });
    this.#responseHandler = new ResponseHandler({
      environment,
      steadyNow,
      outbox,
      feed: (rows) => this.replicator.deliver(rows),
      conflicts: deps.conflicts,
      askRound: () => this.replicator.askRound(),
    });
    this.sender = new Sender({
      environment,
      steadyNow,
      connection,
      outbox,
      responseHandler: this.#responseHandler,
      journal: deps.journal,
      archive: deps.archive,
      userid: contact.home.userid,
      maySend: () => maySync() && contact.isKnown && !this.replicator.isRebuilding,
      noteExpired,
      noteOtherHistory: () => this.replicator.noteOtherHistory(),
      ...troubles.of('sending'),
    });
  }

  /** Ends all waits: sends and pulls now. */
  now(): void {
    this.#home.connection.askedToWait(null);
    this.sender.now();
    this.replicator.now();
  }

  async stop(): Promise<void> {
    await this.sender.stop();
    await this.replicator.stop();
  }

  /** The server can be reached again, or not any more. */
  noteOnline(isOnline: boolean): void {
    if (isOnline) {
      this.replicator.now();
      // The event stream may have survived a failed request: then nothing else checks the server.
      if (this.#isSignedIn()) void this.meet().catch(() => undefined);
      return;
    }
    this.#home.contact.doubt();
    this.replicator.probe();
  }

  /**
   * Checks which server is at the address, before anything is requested or sent (ACCOUNT-5).
   * @throws OtherServer, Impostor, SignInNeeded, Unreachable
   */
  async meet(): Promise<void> {
    const { contact, troubles } = this.#home;
    if (contact.isKnown) return;
    const { noteTrouble, noteSuccess } = troubles.of('meeting');
    try {
      await contact.meet();
    } catch (error) {
      if (isOtherServer(error)) noteTrouble(error);
      throw error;
    }
    noteSuccess();
    this.sender.now();
  }

  #isSignedIn(): boolean {
    return this.#deps.sessions.current().status === 'signed-in';
  }

  async #stored(rows: FeedRow[], place: string, roundStartedAt: number | null): Promise<void> {
    await this.#responseHandler.onRowsStored(rows, Number(place.split('.')[0]), roundStartedAt);
    if (rows.length > 0) this.#home.mirror.arrived.next(rows);
  }

  /** The mirror was loaded again from a server with another history: offers what this device had sent (OUTBOX-14). */
  async #offerAgain(): Promise<void> {
    const { journal, platform, conflicts, sessions } = this.#deps;
    const { connection, contact, database, leaving, mirror, outbox } = this.#home;
    const handler = conflicts();
    if (handler === null) throw new Unreachable('The app is still starting');
    await this.sender.settled();
    await leaving.doubtServer((keys) => keysKnown(connection, keys));
    // The number of a guide may belong to another guide now.
    await sessions.forgetNames(({ home }) => home === contact.home.home);
    const files = new Set((await journal.listFiles()).map(({ id }) => id));
    await offerAgain({
      connection,
      outbox,
      now: () => platform.environment.now(),
      hasFile: async (id) => files.has(id),
      isMistaken: (call) => handler.isMistaken(call),
      idsNow: (temporaries) => recoveredIds(mirrorOf(database), temporaries),
      uidNow: (record) => uidOf(mirror, record),
      overwriting: (calls) => handler.overwriting(calls),
      meetHistory: (made) => handler.meetHistory(made),
    });
  }
}

/** Whether an error says that another server than the one of the home answered. */
export function isOtherServer(error: unknown): error is OtherServer | Impostor {
  return error instanceof OtherServer || error instanceof Impostor;
}
