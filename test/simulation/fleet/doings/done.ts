/** A word that a person wrote with an action, and where. */
export interface Written {
  word: string;
  kind:
    | 'guide'
    | 'comment'
    | 'tag'
    | 'order'
    | 'value'
    | 'page'
    | 'draft'
    | 'note'
    | 'reason'
    | 'gap'
    | 'handover'
    | 'plan';
}

/** A decision about a deviation, with what its person saw of the deviation. */
export interface Decided {
  /** Its word. */
  reason: string;
  /** What had been measured; null: the deviation is not about a value. */
  value: string | null;
  /** Words of the earlier decisions. */
  saw: string[];
}

/** The result of an action. */
export interface Done {
  /** A description for the trace; null: there was nothing to act on. */
  what: string | null;
  written: Written[];
  /** Words that the person removed with it. */
  takenBack: string[];
  /** Words of a displayed decision. */
  decided: string[];
  /** Words on both sides of a decision that keeps both: once for each additional occurrence. */
  joined: string[];
  /** Words that a decision kept although the server's version no longer has them and this save did not write them. */
  keptOld: string[];
  /** The message of a refusal by the app. */
  refused: string | null;
  /** Facts for later checks. */
  facts: {
    /** A mark of a guide was set or removed. */
    mark?: { kind: 'favorite' | 'complete'; guideid: string; on: boolean };
    move?: [string, string];
    /** Moves of several orders. */
    moves?: [string, string][];
    /** Words of reasons for missing values of the moved order, each with its field. */
    reasons?: [word: string, field_revisionid: number][];
    /** A decision about a deviation. */
    decision?: Decided;
    /** A comment with the first text now has the second one, or (null) is deleted. */
    comment?: [string, string | null];
    /** The comment's new text replaces a refused one: other texts may have followed that. */
    isCorrection?: boolean;
    /** Id of a deleted comment, as the device knew it then. */
    deleted?: string;
    /** Id, of the same kind, of a comment whose deletion was refused and discarded. */
    undeleted?: string;
    /** An order that may exist twice from now on, because a person saved theirs as another. */
    copied?: string;
    /** SHA-256 of a recorded file. */
    file?: string;
  };
}

/** The result of an action that has not begun. */
export function nothingDone(): Done {
  return {
    what: null,
    written: [],
    takenBack: [],
    decided: [],
    joined: [],
    keptOld: [],
    refused: null,
    facts: {},
  };
}
