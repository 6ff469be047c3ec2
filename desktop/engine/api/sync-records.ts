/** Where a person is signed in. */
export interface Session {
  server: string | null;
  /** Servers used before on this device, newest first. */
  servers: string[];
  user: {
    userid: number;
    username: string;
    privileges: string[];
    /** The administrator who acts as this person. */
    impersonator?: { userid: number; username: string } | undefined;
  } | null;
  /** Name of the person's home on this device; null while nobody is signed in. */
  home: string | null;
  /** Names of all homes on this device; null while unknown. */
  homes: readonly string[] | null;
  /** `restoring`: the last session is being opened; `signed-out`: ask for credentials; `expired`: reading works, sending waits for sign-in. */
  status: 'restoring' | 'signed-out' | 'signed-in' | 'expired';
  /**
   * Store that was lost at the start, until the person has seen it: the journal was empty while the databases existed, or the
   * reverse. Waiting work was restored from the other one.
   */
  loss: 'journal' | 'databases' | null;
  /** Waiting work on this device for other servers or accounts than the open one. */
  elsewhere: readonly WaitingElsewhere[];
  /** Parts of the journal of the person's work that could not be read, until they have seen it. */
  damage: Damage | null;
}

/** Work that waits in a home that is not open now. */
export interface WaitingElsewhere {
  home: string;
  /** The last address of its server; null if unknown. */
  server: string | null;
  /** '' if unknown. */
  username: string;
  /** Calls and drafts, more than 0. */
  changes: number;
}

/** State of sync for the status line, without its words. */
export interface SyncState {
  connection: 'online' | 'offline';
  /** `first-sync` and `syncing` while records arrive or calls are sent; otherwise `idle`. */
  phase: 'first-sync' | 'syncing' | 'idle';
  /** Records received so far of `total`, during the first sync. */
  progress: { received: number; total: number } | null;
  /** ms since 1970 of the last moment when this device and the server were equal; null: never. */
  lastSyncedAt: number | null;
  /** Calls not yet on the server, parked ones and conflicts not counted. */
  pending: number;
  /**
   * Number of refused calls, unreadable drafts, and guides and pages with kept words (`KeptRecord`).
   */
  parked: number;
  /** Decisions that wait for the person. */
  conflicts: number;
  /** Sending waits for sign-in. */
  needsSignIn: boolean;
  /** The latest foreign answer; null: there is none. */
  interference: Interference | null;
  /** Which side must be updated before device and server understand each other; until then work waits. Null: neither. */
  tooOld: 'app' | 'server' | null;
  /** Until when the server asked to wait, ms since 1970; null: it did not. */
  waitUntil: number | null;
  /** Another problem in plain words (disk full, journal read-only), or null. */
  trouble: string | null;
  /** The technical text of that problem, for support. */
  troubleDetail: string | null;
}

export interface ActivityItem {
  /** callid, or `conflict:{guideid}`, or `conflict:wiki:{wikiid}`. */
  id: string;
  state: 'queued' | 'sending' | 'on-the-server' | 'parked' | 'needs-decision' | 'waits-for-sign-in';
  /** Its subject: title of the guide, number of the work order, guide of the comment. */
  subject: string;
  /** `guide`, `page`, `comment` …: screens have words for each (`text.activity`). */
  kind: string;
  /** Codes that screens translate, such as edited fields, move, number of lines. */
  detail: string;
  at: number;
  /** When the server accepted it; null before. */
  doneAt: number | null;
  /** Parked: the server's words and status. */
  refusal: {
    status: number;
    message: string;
    code?: string | undefined;
    errors: { field: string; message: string }[];
  } | null;
  /** This version of the app cannot read it: it can be exported and discarded, and not sent. */
  isUnreadable: boolean;
  /** How many decisions of the person it waits for. */
  decisions: number;
  /** The item that must be sent, decided or accepted first; null: none. */
  waitsFor: string | null;
  guideid: string | null;
  wikiid: string | null;
  entryid: string | null;
  /** Whose it is, at a station; absent on other devices. */
  username?: string;
  /** The request; shown and edited for parked calls. */
  call: { method: string; path: string; body: unknown };
}

/** A person's words from a guide or page that they can no longer see; stored only on this device. */
export interface KeptRecord {
  /** `guides/{guideid}` or `wikis/{wikiid}`; any other id is of words that this version cannot read. */
  id: string;
  guideid: string | null;
  wikiid: string | null;
  /** When the last of it was written, ms since 1970. */
  at: number;
  /** The person can see the guide or page again. */
  isHere: boolean;
  /** `field`: name of the field, for text of a field, step or line. Values that are not text are JSON. */
  words: { kind: 'field' | 'step' | 'line' | 'comment'; field: string; text: string }[];
}

export interface StorageState {
  /** `none`: nothing can be stored. `full`: the last write failed, because the disk is full. */
  journal: 'file' | 'private-file-system' | 'full' | 'none';
  /** Some records cannot be read before the disk has space again (DATABASE-1). */
  readsWait: boolean;
  /** The origin of this page is not secure, so nothing can be stored. */
  insecure: boolean;
  mediaBytes: number;
  pictures: { have: number; of: number };
}

/** Result of comparing this device with the server. Everything that differed was loaded again. */
export interface DeviceCheck {
  /** Records that the server has for this person. */
  records: number;
  /** `title`: name of the record; '' if it has none. */
  differences: { c: string; id: string; kind: 'missing' | 'extra' | 'different'; title: string }[];
}

/** Damage of the journal that was found at a start. */
export interface Damage {
  /** When the readable records around it were saved, ms since 1970; null when there is none on that side. */
  since: number | null;
  until: number | null;
  /** Names of what the missing calls are about, as far as they are known. */
  subjects: string[];
  /** Whether the database had copies to restore calls and drafts; null until it was checked. */
  hasCopies: boolean | null;
}

/** A foreign answer, for the person and for support. */
export interface Said {
  status: number;
  contentType: string;
  /** Its text, at most 500 characters. */
  excerpt: string;
  /** The requested path, without the query. */
  path: string;
}

/** A foreign answer and its time. */
export interface Interference extends Said {
  /** ms since 1970. */
  at: number;
}
