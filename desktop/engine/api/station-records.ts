import type { stationSignIns } from '#shared/model/station.ts';

/** A way to sign in at a station. */
export type StationSignIn = (typeof stationSignIns)[number];

/**
 * Why nobody is signed in at the station. `started`: the app has just started. `idle`: nobody touched it. `locked` and
 * `signed-out`: the person did it. The others are told to the person, whose work is kept: `person-removed`: they are no
 * longer of this station. `badge-revoked` and `pin-changed`: how they had signed in is no longer valid. `shut-out`: the
 * station is (`StationView.standing`).
 */
export type StationLockReason =
  | 'started'
  | 'idle'
  | 'locked'
  | 'signed-out'
  | 'person-removed'
  | 'badge-revoked'
  | 'pin-changed'
  | 'shut-out';

/** A person who may sign in here. */
export interface StationPersonView {
  userid: number;
  username: string;
  /** Guid of their picture (`views.picture`); null: they have none. */
  imageGuid: string | null;
  hasPin: boolean;
  hasBadge: boolean;
  /** Until when their PIN is not accepted, after wrong ones: ms since 1970. Null: they may try. */
  waitUntil: number | null;
}

/** A work order that runs at this station. Times are those of `WorkOrder`: screens add the time since `asOf`. */
export interface StationOrder {
  entryid: string;
  workorderid: string;
  guideid: string;
  guideTitle: string;
  userid: number;
  username: string;
  activeStepid: string | null;
  /** Title of that step; '' if unknown or without a title. */
  stepTitle: string;
  /** Position of that step in the guide, from 1; null if unknown. */
  stepNumber: number | null;
  activeMs: number;
  /** ms since 1970, of this device. */
  asOf: number;
}

/** The station that this device is. */
export interface StationView {
  stationid: number;
  name: string;
  place: string;
  /** What everybody here should know; may be ''. */
  notice: string;
  signIn: readonly StationSignIn[];
  idleSeconds: number;
  /** Categories and tags of the guides that matter here. */
  categories: readonly string[];
  tags: readonly string[];
  /** By name. */
  people: readonly StationPersonView[];
  /** Who is signed in in this window; null: show the lock screen. `since`: ms since 1970. */
  person: { userid: number; username: string; since: number } | null;
  /** Why nobody is, and who was last; null while somebody is signed in. `at`: ms since 1970. */
  lock: { why: StationLockReason; userid: number | null; username: string; at: number } | null;
  /** Orders that run here, of everybody, the one that began first comes first. */
  running: readonly StationOrder[];
  /**
   * `shut-out`: an administrator revoked the station, or it was enrolled on another device. Nobody signs in, and what waits
   * is sent after it was enrolled again (`enrolStation`).
   */
  standing: 'enrolled' | 'shut-out';
  /** Until when nobody may try a badge or a PIN, after many wrong ones: ms since 1970. Null: everybody may. */
  waitUntil: number | null;
  /** Wrong badges and PINs since the device enrolled. */
  failedTries: number;
  /** Whether an exit code ends station mode. */
  hasExitCode: boolean;
  /** When people, badges and PINs were last read from the server, ms since 1970. */
  asOf: number;
}

/** How a person shows who they are: a badge, their name and PIN, or a PIN alone where the station's `signIn` has `pin`. */
export type StationProof = { badge: string } | { userid: number; pin: string } | { pin: string };

/**
 * What came of a sign-in. `address`: where in the app this person was when the station locked; null: begin at the home
 * screen. `others`: orders of other people that run here. `wrong`: nobody has this badge or PIN. `ambiguous`: several people
 * have this PIN, so they must choose their name. `early`: a try was not looked at, because a wait is due. `waitUntil`: when the
 * next try is looked at, ms since 1970; null: at once.
 */
export type StationSignInResult =
  | {
      result: 'signed-in';
      userid: number;
      username: string;
      address: string | null;
      others: readonly StationOrder[];
    }
  | { result: 'wrong' | 'ambiguous' | 'early'; waitUntil: number | null };

/**
 * What happens to the person's running orders here when they sign out. `pause`: they wait for the same person. `hand-over`:
 * they are offered to others (suspended), with a note. `keep-running`: their time goes on.
 */
export type StationSignOut = { orders: 'pause' | 'keep-running' } | { orders: 'hand-over'; note: string };

/** How an administrator ends station mode: the exit code, without a network too, or e-mail address and password. */
export type ExitProof = { code: string } | { email: string; password: string };

/** What waits on this device in the name of one person. */
export interface StationWaiting {
  userid: number;
  username: string;
  count: number;
  /** When the oldest was recorded, ms since 1970. */
  since: number;
  /** How many of them a lead must accept, because the person no longer belongs to the station. */
  needLead: number;
  /** How many of them the server refused, so that somebody must look at them. */
  refused: number;
}

/** What is wrong with the station, for its support. Small enough for a QR code. */
export interface StationHealth {
  stationid: number;
  name: string;
  server: string;
  appVersion: string;
  standing: StationView['standing'];
  /** Last contact with the server, ms since 1970. */
  contactAt: number;
  /** Whether the server can be reached now. */
  isOnline: boolean;
  /** People with most waiting changes first, at most ten; `waitingCount` counts all. */
  waiting: readonly StationWaiting[];
  waitingCount: number;
  /** By how much the clock of this device differs from that of the server (server minus device), ms; 0: it does not. */
  clockOffset: number;
  /** `full`: the disk is full. `none`: nothing can be stored. */
  disk: 'ok' | 'full' | 'none';
  failedTries: number;
  /** Another trouble in plain words, or null (`SyncState.trouble`, a foreign answer, a version that is too old). */
  trouble: string | null;
}
