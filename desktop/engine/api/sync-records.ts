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
  /** Names the home on this device that is theirs; null while nobody is signed in. */
  home: string | null;
  /** Names every home on this device; null while that is not known. */
  homes: readonly string[] | null;
  /** `restoring`: the last session is being opened; `signed-out`: ask for credentials; `expired`: reading works, sending waits for sign-in. */
  status: 'restoring' | 'signed-out' | 'signed-in' | 'expired';
  /**
   * What this device had lost at its start, until the person has seen it: the journal was empty while the databases
   * were there, or the reverse. What waited came back from the other.
   */
  loss: 'journal' | 'databases' | null;
  /** Work on this device that waits for other servers or accounts than the one that is open now. */
  elsewhere: readonly WaitingElsewhere[];
  /** What of the record of the person's work could not be read, until they have seen it. */
  damage: Damage | null;
}

/** Work that waits in a home that is not open now. */
export interface WaitingElsewhere {
  home: string;
  /** The address at which its server was met last; null: this device does not know any more. */
  server: string | null;
  /** '': this device does not know any more. */
  username: string;
  /** Calls and drafts, more than 0. */
  changes: number;
}

/** What the status line says. Words live in the renderer; this is their truth. */
export interface SyncState {
  connection: 'online' | 'offline';
  /** `first-sync` and `syncing` while records arrive or calls leave; `idle` when nothing moves. */
  phase: 'first-sync' | 'syncing' | 'idle';
  /** Records received so far of `total`, during the first sync. */
  progress: { received: number; total: number } | null;
  /** ms since 1970 of the last moment when this device and the server were equal; null: never. */
  lastSyncedAt: number | null;
  /** Calls not yet on the server, parked ones and conflicts not counted. */
  pending: number;
  /**
   * Calls the server refused, drafts that cannot be read, and guides and pages that left with something unsent of the
   * person's (`KeptRecord`).
   */
  parked: number;
  /** Decisions that wait for the person. */
  conflicts: number;
  /** Sending waits for sign-in. */
  needsSignIn: boolean;
  /** Something between this device and the server answers in its place, with what it said; null: nothing does. */
  interference: Interference | null;
  /** Which side must be updated before device and server understand each other; until then work waits. Null: neither. */
  tooOld: 'app' | 'server' | null;
  /** Until when the server asked to wait, ms since 1970; null: it did not. */
  waitUntil: number | null;
  /** Another problem in plain words (disk full, journal read-only), or null. */
  trouble: string | null;
  /** The technical text of that problem, for the support. */
  troubleDetail: string | null;
}

export interface ActivityItem {
  /** callid, or `conflict:{guideid}`, or `conflict:wiki:{wikiid}`. */
  id: string;
  state: 'queued' | 'sending' | 'on-the-server' | 'parked' | 'needs-decision' | 'waits-for-sign-in';
  /** What it is about: guide title, work order number, comment's guide. */
  subject: string;
  kind:
    | 'guide'
    | 'page'
    | 'tag'
    | 'work-order'
    | 'comment'
    | 'favorite'
    | 'completion'
    | 'profile'
    | 'team'
    | 'quiz'
    | 'picture'
    | 'file';
  /** Machine-made facts for the words: e.g. edited fields, move, number of lines. */
  detail: string;
  at: number;
  /** When the server took it; null before. */
  doneAt: number | null;
  /** Parked: the server's words and status. */
  refusal: { status: number; message: string; errors: { field: string; message: string }[] } | null;
  /** This version of the app cannot read it: it can be exported and discarded, and not sent. */
  isUnreadable: boolean;
  /** Waits for another call. */
  waitsFor: string | null;
  guideid: string | null;
  wikiid: string | null;
  entryid: string | null;
  /** What would be sent; shown and edited for parked calls. */
  call: { method: string; path: string; body: unknown };
}

/** What a person wrote in a guide or page that they can no longer see; it is kept on this device alone. */
export interface KeptRecord {
  /** `guides/{guideid}` or `wikis/{wikiid}`; else of text that this version cannot read, of which nothing is known. */
  id: string;
  guideid: string | null;
  wikiid: string | null;
  /** When the last of it was written, ms since 1970. */
  at: number;
  /** The guide or page can be seen again. */
  isHere: boolean;
  /** `field`: the field's name, where the text is one of a field, step or line. Values that are no text are JSON. */
  words: { kind: 'field' | 'step' | 'line' | 'comment'; field: string; text: string }[];
}

export interface StorageState {
  journal: 'file' | 'private-file-system' | 'none';
  /** This page's origin is not secure: nothing can be kept. */
  insecure: boolean;
  mediaBytes: number;
  pictures: { have: number; of: number };
}

/** What comparing this device with the server has shown. Everything that differed was loaded again. */
export interface DeviceCheck {
  /** Records that the server has for this person. */
  records: number;
  /** `title`: what people call the record; empty where it has no name. */
  differences: { c: string; id: string; kind: 'missing' | 'extra' | 'different'; title: string }[];
}

/** What of the record of a person's work on this device could not be read at a start. */
export interface Damage {
  /** When the readable records around it were saved, ms since 1970; null when there is none on that side. */
  since: number | null;
  until: number | null;
  /** What the missing calls are about, as far as their names are known. */
  subjects: string[];
  /** Whether the second copy in the database was there to give calls and drafts back; null until it was looked for. */
  hasCopies: boolean | null;
}

/** What was said in the place of the server, for the person and the support. */
export interface Said {
  status: number;
  contentType: string;
  /** What it said, at most 500 characters. */
  excerpt: string;
  /** What was asked for, without the query. */
  path: string;
}

/** What last stood in the way. */
export interface Interference extends Said {
  /** ms since 1970. */
  at: number;
}
