/** A version of a record: its revision, and the text that tells it from every other version. */
export interface Version {
  revisionid: number;
  text: string;
}

interface Call {
  client: number;
  /** Order of events in one run: an operation whose `end` is below another's `start` came before it. */
  start: number;
  end: number;
}

/** Somebody was told that the record is `seen`. */
export interface Read extends Call {
  kind: 'read';
  seen: Version;
  /** The call that told it, for the report. */
  via: string;
}

/** A save on top of revision `expected` that the server took; null: it did not say which revision it made. */
export interface Save extends Call {
  kind: 'save';
  expected: number;
  saved: { revisionid: number | null; text: string };
}

/** A save that the server refused (409), with the version it showed. */
export interface Refusal extends Call {
  kind: 'refusal';
  expected: number;
  seen: Version;
}

/** A save without an answer: it took effect at some time after `start`, or never. */
export interface UnknownSave extends Call {
  kind: 'unknown';
  end: typeof Infinity;
  expected: number;
  text: string;
}

/** What one client did with one record, and what it was told. */
export type Operation = Read | Save | Refusal | UnknownSave;

export type Answered = Exclude<Operation, UnknownSave>;
