import type { Observable } from 'rxjs';

import type { ArchiveFiles } from '../journal/archive-files.ts';
import type { ArchiveRows } from '../storage/archive-rows.ts';
import type { Clock } from '../platform/clock.ts';
import type { Journal } from '../journal/journal.ts';
import type { ErasedHome } from './leaving/home-removal.ts';
import type { LibraryChoice } from '../api/engine.ts';
import type { ExitProof } from '../api/station-records.ts';
import type { LeavingControl } from './leaving/home-leaving.ts';
import type { MirrorCheck } from '../sync/mirror/check.ts';
import type { MediaStore, Platform, SpaceOfDevice, TabWords } from '../journal/platform.ts';
import type { ConflictHandler, Environment, Mirror, Outbox, DraftStore } from '../platform/ports.ts';
import type { MissingName } from '../journal/damage.ts';
import type { Proof } from './sign-in-request.ts';
import type { SupportLog } from '../journal/support-log.ts';
import type { Session, SyncState } from '../api/sync-records.ts';
import type { Station, StationState } from './station/station.ts';
import type { WorkControl } from './work-control.ts';

/**
 * The base of `createViews(core)` and `createActions(core)`. It exists as long as the engine. Mirror, outbox and drafts are
 * always those of the person who is signed in, and empty while nobody is.
 */
export interface Core {
  environment: Environment;
  clock: Clock;
  mirror: Mirror;
  outbox: Outbox;
  /** `own`: the drafts of the person who is signed in now, also after somebody else signs in. Throws `Problem` while nobody is. */
  drafts: DraftStore & { own(): DraftStore };
  journal: Journal;
  /** Cached bytes of media; bytes waiting for upload are files of the journal. */
  media: MediaStore;
  /** Absent if the platform does not say how much space there is. */
  space?: SpaceOfDevice | undefined;
  /** Settles when the files of the app itself are on this device. Absent if they always are. */
  appKept?: Promise<void> | undefined;
  /** Archives of this device; they do not belong to a person. */
  archives: {
    openFiles(): Promise<ArchiveFiles>;
    openRows(): Promise<ArchiveRows>;
  };
  lock: Platform['lock'];
  /** Absent where there can be no other tab. */
  tabs?: TabWords | undefined;
  /** Work that is exported to a file or imported from one. */
  work: WorkControl;
  /** Log of this device for support. */
  log: SupportLog;
  /** Records that the person may no longer see. */
  leaving: LeavingControl;
  session: SessionControl;
  station: StationControl;
  homes: HomesControl;
  sync: SyncControl;
  /** The origin is not secure, so nothing can be stored. */
  insecure: boolean;
  /** How many reads of databases wait because the disk is full (DATABASE-1). */
  diskWaits: Observable<number>;
  /** The version of this app; '' if unknown. */
  appVersion: string;
  /** A request to the session's server with its token. `path` begins with `/`, for example `/api/2.0/guides`. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /**
   * This core for the home that is open now. As soon as another home is open, or none, everything of it that reads or writes
   * a home throws `Problem` conflict (ACCOUNT-11). The same object until then.
   */
  held(): Core;
  /** Throws `Problem` conflict when the home of `held()` is no longer open. */
  mustHold: () => void;
  /** Registers `finish`, which runs each time before a home is closed. */
  beforeLeaving(finish: () => Promise<void>): void;
  /** Sets the handler of refused saves (409); without one they are parked. */
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
  /** Names of what the calls of a home that damage took were about (`Session.damage`). */
  missingNames(home: string): Promise<MissingName[]>;
  /** Removes such names; false: there were none. */
  forgetNames(isGone: (name: MissingName) => boolean): Promise<boolean>;
}

/** The station that this device is. */
export interface StationControl {
  /** Null: this device is not a station. Emits the present state first. */
  state: Observable<StationState | null>;
  present(): Station | null;
  /** See `Actions.enrolStation`. */
  enrol(server: string, code: string, apart?: boolean): Promise<void>;
  /** See `Actions.leaveStation`. */
  leave(proof: ExitProof | null): Promise<void>;
}

/** The homes on this device, for features that store something beside them. */
export interface HomesControl {
  /** Removed homes whose archives and media are still on this device. */
  erased(): Promise<ErasedHome[]>;
  /** How many there are. */
  count(): Promise<number>;
  /** Calls `take` with the facts of every record of every home, as text. */
  read(take: (body: string) => void): Promise<void>;
  /** The same for the homes of others, without that of the person who is signed in. */
  readOthers(take: (body: string) => void): Promise<void>;
  /** Completes a removal, after archives and media of the home were removed. */
  finishRemoval(home: string): Promise<void>;
  /** Removes deleted data from the files of the common storage. */
  scrub(): Promise<void>;
}

export interface SyncControl {
  /** Emits the present state first. */
  state: Observable<SyncState>;
  /** Sends and pulls now, and ends all waits. */
  now(): void;
  /** Compares this device with the server and corrects what differs. */
  check(): Promise<MirrorCheck>;
  /** Whether this tab leads, so that it pulls, sends and edits drafts. Emits the present state first. */
  leads: Observable<boolean>;
  /** Whether the mirror has every record that the person may see, in any tab. Emits the present state first. */
  complete: Observable<boolean>;
}
