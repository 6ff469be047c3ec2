import type { Disposition } from '#shared/model/deviations.ts';

import type { RecordedValue } from './records.ts';

/** What was decided about a deviation. */
export interface DeviationDecisionView {
  disposition: Disposition;
  reason: string;
  username: string;
  /** ms since 1970. */
  at: number;
  /** Not on the server yet. */
  pending: boolean;
}

/** A deviation as the screens show it. */
export interface DeviationView {
  /** The server's number, or `tmp:…`. */
  deviationid: string;
  entryid: string;
  workorderid: string;
  guideid: string;
  guideTitle: string;
  stepid: string;
  title: string;
  note: string;
  username: string;
  mine: boolean;
  /** When it was reported, ms since 1970. */
  at: number;
  /** What was measured; null: the deviation is not about a value. */
  measured: Measured | null;
  /** Guids of pictures, or temporary ids of their uploads. */
  images: readonly string[];
  /** The decision that counts; null: it is open. */
  decision: DeviationDecisionView | null;
  /** Earlier decisions, latest first. */
  earlier: readonly DeviationDecisionView[];
  /** Whether this person may decide about it. */
  decides: boolean;
  /** The report is not on the server yet. */
  pending: boolean;
  /** The name of the station at which it was reported; '' if unknown. Absent: at none. */
  station?: string;
}

export interface Measured {
  field_guid: string;
  value: string;
  /** The limit that the value breaks; null: an answer such as "Fail". */
  broken: RecordedValue['broken'];
  /** The limits of the form revision; null on a side without one. */
  limits: { min: number | null; max: number | null } | null;
  /** '' if there is none. */
  unit: string;
  /** Why the check failed; '' if nobody said it. */
  reason: string;
}
