import type { Done } from './doings.ts';
import type { DeviceFault, Doing } from './plan.ts';

/** A request as it leaves a device. */
export interface Asked {
  /** Number of the request since the device was made. */
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

/** What becomes of a request. `after`: virtual ms until the device notices. */
export type Reply =
  | { kind: 'answer'; answer: Answered; after: number }
  /** The answer breaks off in its middle. */
  | { kind: 'cut'; answer: Answered; after: number }
  /** No answer, and an error that says so. */
  | { kind: 'failed'; after: number }
  /** Neither an answer nor an error. */
  | { kind: 'silence' }
  /** A stream that goes on: more comes as `Chunk`s. */
  | { kind: 'stream'; answer: Answered; stream: number; after: number };

/** What a stream brought. */
export interface Chunk {
  stream: number;
  bytes: Uint8Array<ArrayBuffer>;
  /** Nothing follows. */
  ends: boolean;
}

/** What the coordinator has a device do. */
export type Command =
  | { do: 'open' }
  | { do: 'close' }
  /** What a person does. */
  | { do: 'doing'; doing: Doing }
  | { do: 'sign-in'; server: string; email: string; password: string }
  | { do: 'sign-out' }
  | { do: 'online'; on: boolean }
  /** Time passes in which the app runs, ms. */
  | { do: 'run'; ms: number }
  /** Time passes in which it sleeps, ms. */
  | { do: 'sleep'; ms: number }
  | { do: 'wall'; offset: number }
  | { do: 'look' }
  /** A look at the status line alone. */
  | { do: 'state' }
  | { do: 'decide'; picks: number[] }
  /** The disk or the machine does something of its own; the app is closed, or dies of it. */
  | { do: 'fault'; fault: DeviceFault; picks: number[] }
  /** The faults of the disk end. */
  | { do: 'mend' }
  /** Which of these words stand in the files of the device. */
  | { do: 'raw'; words: string[] };

/** How far a device got with what it was to do. */
export type Output = {
  /** True time on the device. */
  now: number;
  /** Streams that the device does not read any more. */
  left: number[];
} & (
  | { state: 'asks'; asked: Asked }
  | { state: 'done'; value: unknown }
  | { state: 'failed'; name: string; message: string }
  /** The planned death came; `value`: what the action under way had done. */
  | { state: 'died'; value: Done }
);

/** What a device shows when somebody looks. */
export interface Seen {
  person: string | null;
  status: string;
  /** The app says that something of the person's work could not be read. */
  isLossTold: boolean;
  pending: number;
  parked: number;
  /** Of what is pending: what waits for something that a person must decide. */
  blocked: number;
  conflicts: number;
  phase: string;
  connection: string;
  trouble: string | null;
  interference: boolean;
  tooOld: string | null;
  /** Work of others, or for other servers, on this device. */
  elsewhere: number;
  /** Whatever waits, is refused, stands in a draft, in a decision or in quarantine, as text. */
  kept: string[];
  /** Calls that count as refused, by key, with the status that the device says the server gave. */
  refusals: [key: string, status: number][];
  /** What is set aside: the places of records that left in which the person wrote, each as a whole. */
  quarantine: string[];
  /** Decisions that are announced and cannot be shown. */
  hidden: string[];
  /** Decisions about work orders that this device does not have any more: what was done to them is shown and exported. */
  orphaned: { id: string; entryid: string }[];
  /** The numbers of work orders that waiting calls are about. */
  numbers: string[];
  /** What is shown, record by record. */
  guides: Record<string, ShownGuide>;
  pages: Record<string, string>;
  orders: { order: string; status: string; values: string[]; mine: boolean; pending: number }[];
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
