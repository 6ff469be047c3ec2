import type { Ledger } from '../ledger.ts';
import type { PlannedRights } from '../rights.ts';
import type { Stored } from '../server-stored.ts';
import type { Seen } from '../wire.ts';

/** A broken rule of README.md. */
export interface Violation {
  rule: 'FLEET-1' | 'FLEET-2' | 'FLEET-3' | 'FLEET-4' | 'FLEET-5' | 'FLEET-6' | 'FLEET-7' | 'FLEET-10';
  what: string;
}

/** The state at a quiet point. */
export interface Scene {
  ledger: Ledger;
  stored: Stored;
  seen: Seen[];
  /** The device with the app of protocol 5. */
  old: number | undefined;
  /** People who wrote on each device and are not signed in there now: their work there is invisible. */
  absent: ReadonlySet<string>[];
  /** Words in each device's files that must not be there. */
  raw: string[][];
  /** The device that is a station. */
  station: number | undefined;
  /** Virtual ms since 1970. */
  now: number;
  /** The server's refusals to each device: `key status`. */
  refused: ReadonlySet<string>[];
}

/** The read fields of a stored guide. */
export interface GuideDoc {
  guideid: number;
  userid: number;
  public: boolean;
  allowed_users?: number[];
  allowed_teams?: number[];
  title: string;
  summary: string;
  introduction_raw: string;
  conclusion_raw: string;
  steps: { title: string; lines: { text_raw: string }[] }[];
}

/** The read fields of a stored comment. */
export interface CommentDoc {
  guideid: number | null;
  userid: number;
  text_raw: string;
  stationid?: number;
}

/** The read fields of a stored work order. */
export interface OrderDoc {
  guideid: number;
  workorderid: string;
  /** Teams of the holders. */
  teamids?: number[];
  events: {
    type: string;
    userid: number;
    /** Ms since 1970. */
    at: number;
    stationid?: number;
    note?: string;
    gaps?: { field_guid: string; reason: string | null }[];
    data?: ValueDoc[];
  }[];
}

/** The read fields of a recorded value. */
export interface ValueDoc {
  field_revisionid: number;
  field_guid: string;
  label: string;
  value: string;
}

/** The read fields of a stored deviation. */
export interface DeviationDoc {
  entryid: number;
  workorderid: string;
  key?: string;
  userid: number;
  stationid?: number;
  title: string;
  note: string;
  value?: ValueDoc;
  decisions: { disposition: string; reason: string; userid: number }[];
  follow_up?: { planned_orderid: number; workorderid: string; status: string };
}

/** The read fields of a stored planned order. */
export interface PlannedDoc extends PlannedRights {
  planned_orderid: number;
  key?: string;
  workorderid: string;
  note: string;
  follows?: { deviationid: number };
}

/** The read fields of a stored page. */
export interface PageDoc {
  namespace: string;
  title: string;
  contents_raw: string;
}

/** The stored documents of a collection. */
export function docs<T>({ documents }: Stored, collection: string): (T & { docid: string })[] {
  return documents
    .filter((one) => one.collection === collection)
    .map(({ id, body }) => ({ ...(JSON.parse(body) as T), docid: id }));
}
