import type { StationProof } from '#desktop/engine/api/station-records.ts';

import type { Done } from './doings/done.ts';
import type { DeviceFault, Doing } from './plan.ts';

/** A request of a device. */
export interface Asked {
  /** Number of the request since the device was created. */
  id: number;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer> | null;
}

export interface Answered {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
}

/** The fate of a request. `after`: virtual ms until the device notices. */
export type Reply =
  | { kind: 'answer'; answer: Answered; after: number }
  /** The response breaks off in the middle. */
  | { kind: 'cut'; answer: Answered; after: number }
  /** No response, and an error. */
  | { kind: 'failed'; after: number }
  /** Neither a response nor an error. */
  | { kind: 'silence' }
  /** A stream that continues: more arrives as `Chunk`s. */
  | { kind: 'stream'; answer: Answered; stream: number; after: number };

/** Data of a stream. */
export interface Chunk {
  stream: number;
  bytes: Uint8Array<ArrayBuffer>;
  /** Nothing follows. */
  ends: boolean;
}

/** A command of the coordinator to a device. */
export type Command =
  | { do: 'open' }
  | { do: 'close' }
  /** An action of a person. */
  | { do: 'doing'; doing: Doing }
  /**
   * An action of the person at the station, who touches it. `next`: what somebody else shows there while the action runs;
   * null: the station is locked meanwhile.
   */
  | { do: 'doing-at-station'; doing: Doing; next?: StationProof | null }
  | { do: 'enrol'; server: string; code: string }
  | { do: 'show-at-station'; proof: StationProof }
  | { do: 'lock-station' }
  | { do: 'sign-in'; server: string; email: string; password: string }
  | { do: 'sign-out' }
  | { do: 'online'; on: boolean }
  /** Time passes while the app runs, ms. */
  | { do: 'run'; ms: number }
  /** Time passes while it sleeps, ms. */
  | { do: 'sleep'; ms: number }
  | { do: 'wall'; offset: number }
  | { do: 'look' }
  /** Reads only the status line. */
  | { do: 'state' }
  /** A fault of the disk or the machine; the app is closed, or crashes. */
  | { do: 'fault'; fault: DeviceFault; picks: number[] }
  /** The faults of the disk end. */
  | { do: 'mend' }
  /** Which of these words are in the files of the device. */
  | { do: 'raw'; words: string[] };

/** How far a device got with its command. */
export type Output = {
  /** True time on the device. */
  now: number;
  /** Streams that the device no longer reads. */
  left: number[];
} & (
  | { state: 'asks'; asked: Asked }
  | { state: 'done'; value: unknown }
  | { state: 'failed'; name: string; message: string }
  /** The planned crash happened; `value`: the result so far of the current action. */
  | { state: 'died'; value: Done }
);

/** What a station shows of itself. */
export interface ShownStation {
  /** Who is signed in there; null: nobody. */
  present: string | null;
  /** Why nobody is. */
  lock: string | null;
  failedTries: number;
  /** In whose name calls wait, how many, and how many of them a lead must accept. */
  waiting: { person: string; count: number; needLead: number; refused: number }[];
}

/** The views of a device. */
export interface Seen {
  /** Who is signed in; at a station, its account. */
  person: string | null;
  /** Only of a station. */
  station?: ShownStation;
  status: string;
  /** Whether the app reports unreadable work of the person. */
  isLossTold: boolean;
  pending: number;
  parked: number;
  /** Pending calls that wait for something that a person must decide. */
  blocked: number;
  conflicts: number;
  phase: string;
  connection: string;
  trouble: string | null;
  interference: boolean;
  tooOld: string | null;
  /** Work of other people, or for other servers, on this device. */
  elsewhere: number;
  /** Texts of waiting and refused calls, drafts, decisions and the quarantine. */
  kept: string[];
  /** Calls that count as refused, by key, with the status reported by the device. */
  refusals: [key: string, status: number][];
  /** The quarantine: the places of records that left in which the person wrote, each as a whole. */
  quarantine: string[];
  /** Announced decisions that cannot be shown. */
  hidden: string[];
  /** Decisions about work orders that are no longer on this device: the work on them is shown and exported. */
  orphaned: { id: string; entryid: string }[];
  /** The numbers of work orders and planned orders of waiting calls. */
  numbers: string[];
  /** Shown records. */
  guides: Record<string, ShownGuide>;
  pages: Record<string, string>;
  orders: ShownOrder[];
  deviations: Record<string, ShownDeviation>;
}

export interface ShownOrder {
  order: string;
  /** The server's number, or `tmp:…`. */
  entryid: string;
  status: string;
  values: string[];
  mine: boolean;
  pending: number;
  /** The note of the last suspension; undefined in the app of protocol 5. */
  handover: string | null | undefined;
  /** Reasons for missing values. */
  gaps: (string | null)[] | undefined;
}

export interface ShownDeviation {
  order: string;
  entryid: string;
  title: string;
  note: string;
  /** What was measured. */
  value: string | null;
  /** Dispositions and reasons, oldest first. */
  decisions: string[];
  /** Whether the person may decide. */
  decides: boolean;
  /** Number and state of its follow-up order. */
  followUp: string | null;
  /** Whether the report or a decision is not on the server. */
  isPending: boolean;
}

export interface ShownGuide {
  title: string;
  /** Title, summary, introduction, steps and lines. */
  text: string;
  comments: string[];
  tags: string[];
  favorite: boolean;
  completed: boolean;
  isPending: boolean;
}

/** The text of a body; empty without one. */
export function textIn(bytes: Uint8Array | null): string {
  return bytes === null ? '' : new TextDecoder().decode(bytes);
}
