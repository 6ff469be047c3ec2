import type {
  DeviationGroup,
  DeviationKind,
  DeviationReport,
  DurationGroup,
  NumberFieldReport,
  NumberReport,
} from '#shared/api/reports.ts';

/** Which finished orders a report counts. Times in UNIX seconds; `until` is excluded. */
export interface ReportWish {
  guideid?: number | undefined;
  userid?: number | undefined;
  teamid?: number | undefined;
  from?: number | undefined;
  until?: number | undefined;
}

/** `orders`: number of the orders that were counted; `more`: there are more rows than these. */
export interface Report<Row> {
  orders: number;
  more: boolean;
  rows: readonly Row[];
}

/** A step of the present guide. `number`: its place from 1; null: it is no longer in the guide, or the guide is not here. */
export interface ReportStep {
  number: number | null;
  title: string;
}

/** Working time in seconds. `name`: of the guide or person; '' if this device does not know it. */
export interface DurationRow {
  id: number;
  name: string;
  /** Null of other groups than steps. */
  step: ReportStep | null;
  count: number;
  median: number;
  p90: number;
  total: number;
}

export interface YieldRow {
  guideid: number;
  guideTitle: string;
  /** Orders that are no rework. */
  counted: number;
  /** Those of them without deviation and missing value. */
  passed: number;
}

/** `counted`, `passed`: of all guides. */
export interface YieldView extends Report<YieldRow> {
  counted: number;
  passed: number;
}

/** What a row is about depends on the group; names are '' if this device does not know them. */
export interface DeviationRow {
  count: number;
  kind: DeviationKind | null;
  guideTitle: string;
  /** Null of other groups than steps. */
  step: ReportStep | null;
  label: string | null;
}

/** `total`: of all rows, also those that are not listed. */
export interface DeviationView extends Report<DeviationRow> {
  total: DeviationReport['total'];
}

export type NumberField = NumberFieldReport['rows'][number] & { guideTitle: string };

export type NumberValue = NumberReport['values'][number] & { username: string };

/** The values of a number field, oldest first. `more`: there are earlier ones. */
export interface NumberView {
  orders: number;
  label: string;
  unit: string;
  more: boolean;
  values: readonly NumberValue[];
}

/** Reports of the server. They need the network: each throws the `Problem` of the server. Nothing is stored here. */
export interface ReportActions {
  reportDurations(wish: ReportWish, by: DurationGroup): Promise<Report<DurationRow>>;
  reportYield(wish: ReportWish): Promise<YieldView>;
  reportDeviations(wish: ReportWish, by: DeviationGroup): Promise<DeviationView>;
  numberFields(wish: ReportWish): Promise<Report<NumberField>>;
  reportNumbers(wish: ReportWish, field_guid: string): Promise<NumberView>;
}
