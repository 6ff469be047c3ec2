/** A version of a record: its revision, and a text that is unique among versions. */
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

/** A client received the version `seen`. */
export interface Read extends Call {
  kind: 'read';
  seen: Version;
  /** The call that returned it, for the report. */
  via: string;
}

/** A save on top of revision `expected` that the server accepted; null: the new revision is unknown. */
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

/** A save without a response: it took effect at some time after `start`, or never. */
export interface UnknownSave extends Call {
  kind: 'unknown';
  end: typeof Infinity;
  expected: number;
  text: string;
}

/** One client's call on one record, and its response. */
export type Operation = Read | Save | Refusal | UnknownSave;

export type Answered = Exclude<Operation, UnknownSave>;
