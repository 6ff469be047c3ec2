import type { ShiftSummaryRecord } from '#shared/model/shift-summaries.ts';

/** A team for which this person makes shift summaries. Times are ms since 1970 by the clock of the device. */
export interface ShiftTeam {
  teamid: number;
  name: string;
  /** The end of its last summary; null: it has none. */
  lastEnd: number | null;
}

/** What a person asks for. `from`, `to`: ms since 1970 by the clock of the device. */
export interface ShiftWish {
  teamid: number;
  from: number;
  to: number;
  note: string;
}

/** A shift summary in the list. Times are ms since 1970. */
export interface ShiftSummaryRow {
  /** The server's number, or `tmp:…`. */
  shift_summaryid: string;
  teamName: string;
  from: number;
  to: number;
  madeBy: string;
  note: string;
  /** When the server computed it; null: the call waits on this device. */
  computed: number | null;
}

/** A shift summary. */
export interface ShiftSummaryView extends ShiftSummaryRow {
  /** The record; null: the call waits on this device. */
  record: ShiftSummaryRecord | null;
  /** Whether the summary on this device agrees with the hash that the server stored. */
  isSealed: boolean;
}
