import type { Observable } from 'rxjs';

import type { ArchiveFiles } from '../journal/archive-files.ts';
import type { ArchiveRows } from '../storage/archive-rows.ts';
import type { Clock } from '../platform/clock.ts';
import type { Journal } from '../journal/journal.ts';
import type { ErasedHome } from './leaving/home-removal.ts';
import type { LibraryChoice } from '../api/engine.ts';
import type { LeavingControl } from './leaving/home-leaving.ts';
import type { MirrorCheck } from '../sync/mirror/check.ts';
import type { MediaStore, Platform } from '../journal/platform.ts';
import type { ConflictHandler, Environment, Mirror, Outbox, DraftStore } from '../platform/ports.ts';
import type { MissingName } from '../journal/damage.ts';
import type { Proof } from './session.ts';
import type { SupportLog } from '../journal/support-log.ts';
import type { Session, SyncState } from '../api/sync-records.ts';
import type { WorkControl } from './work-control.ts';

/**
 * What `createViews(core)` and `createActions(core)` build on. It lives as long as the engine: mirror, outbox and
 * drafts always speak of the person who is signed in, and are empty while nobody is.
 */
export interface Core {
  environment: Environment;
  clock: Clock;
  mirror: Mirror;
  outbox: Outbox;
  /** `own`: the same of whoever is signed in now, whoever comes later. Throws `Problem` while nobody is. */
  drafts: DraftStore & { own(): DraftStore };
  journal: Journal;
  /** Cached bytes of media; bytes waiting for upload are files of the journal. */
  media: MediaStore;
  /** Settles when the files of the app itself are on this device. Absent where they always are. */
  appKept?: Promise<void> | undefined;
  /** Of this device, whoever is signed in. */
  archives: {
    openFiles(): Promise<ArchiveFiles>;
    openRows(): Promise<ArchiveRows>;
    lock: Platform['lock'];
  };
  /** Work that leaves as a file, or comes in one. */
  work: WorkControl;
  /** What happened on this device, for the support. */
  log: SupportLog;
  /** What the person may no longer see. */
  leaving: LeavingControl;
  session: SessionControl;
  homes: HomesControl;
  sync: SyncControl;
  /** This origin may keep nothing. */
  insecure: boolean;
  /** A request to the session's server with its token. `path` begins with `/`, for example `/api/2.0/guides`. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /**
   * The same for the home that is open now, for whatever takes longer than a moment: as soon as another home is open, or
   * none, everything of it that reads or writes a home throws `Problem` conflict. The same object until then.
   */
  held(): Core;
  /** Throws `Problem` conflict when the home that this is held for is no longer open. */
  mustHold: () => void;
  /** Has `finish` run each time before a home is closed. */
  beforeLeaving(finish: () => Promise<void>): void;
  /** Sets who decides about refused saves (409); without one they are parked. */
  handleConflicts(handler: ConflictHandler): void;
}

export interface SessionControl {
  /** Emits the present session first. */
  state: Observable<Session>;
  current(): Session;
  /** Throws `Problem` with the server's words. `apart`: see `Actions.signIn`. */
  signIn(server: string, proof: Proof, apart?: boolean): Promise<void>;
  /** `library`: see `Actions.signOut`. */
  signOut(library?: LibraryChoice): Promise<void>;
  /** The person has read what was lost (`Session.loss`). */
  noteLossSeen(): Promise<void>;
  /** What the calls of a home are about that damage took (`Session.damage`). */
  missingNames(home: string): Promise<MissingName[]>;
  /** Takes such names out; false: there were none to take. */
  forgetNames(isGone: (name: MissingName) => boolean): Promise<boolean>;
}

/** The homes on this device, for what is kept beside them. */
export interface HomesControl {
  /** Homes that were removed, of which archives and media are still here. */
  erased(): Promise<ErasedHome[]>;
  /** How many there are. */
  count(): Promise<number>;
  /** Tells `take` the facts of every record of every home, as text. */
  read(take: (body: string) => void): Promise<void>;
  /** Archives and media of a removed home are gone. */
  finishRemoval(home: string): Promise<void>;
  /** What was deleted leaves the files of the common storage. */
  scrub(): Promise<void>;
}

export interface SyncControl {
  /** Emits the present state first. */
  state: Observable<SyncState>;
  /** Asks for a round now, whatever the backoff says. */
  now(): void;
  /** Compares this device with the server and mends what differs. */
  check(): Promise<MirrorCheck>;
  /** Whether this tab is the one of all tabs that pulls, sends and edits drafts. Emits the present answer first. */
  leads: Observable<boolean>;
}
