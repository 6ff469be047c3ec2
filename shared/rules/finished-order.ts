import type { EntryFacts, WorkDataValue } from '#shared/model/work-log.ts';

import { foldEntry } from './work-log.ts';

/** The last value of a number field in an order. `at`: when it was recorded, UNIX seconds. */
export interface MeasuredNumber {
  field_guid: string;
  stepid: number;
  label: string;
  unit: string;
  value: number;
  min: number | null;
  max: number | null;
  /** Who recorded it. */
  userid: number;
  at: number;
}

/** What reports count of a finished order. Times in seconds. */
export interface FinishedOrder {
  /** Who finished it: its last holder. */
  userid: number;
  /** UNIX seconds. */
  ended: number;
  /** Working time, without pauses and suspensions. */
  active: number;
  /** Working time of each step. */
  steps: { stepid: number; seconds: number }[];
  /** Required fields without a value. */
  missing: { stepid: number; field_guid: string; label: string }[];
  numbers: MeasuredNumber[];
}

/**
 * What reports count of an order; null unless it was finished.
 *
 * - REPORT-1 Reports count finished orders. Cancelled and open ones are not counted. An order belongs to the person who
 *   finished it, also if others held it before. Of each number field the last value counts, whatever revision of the form it
 *   was recorded with.
 */
export function finishedOrder(facts: EntryFacts): FinishedOrder | null {
  const { status, userid, endtime, active_duration, step_durations, gaps } = foldEntry(facts);
  if (status !== 'complete' || endtime === null) return null;
  return {
    userid,
    ended: endtime,
    active: active_duration,
    steps: step_durations.map(({ stepid, duration }) => ({ stepid, seconds: duration })),
    missing: gaps.map(({ stepid, field_guid, label }) => ({ stepid, field_guid, label })),
    numbers: numbersOf(facts),
  };
}

function numbersOf({ events }: EntryFacts): MeasuredNumber[] {
  const last = new Map<string, { value: WorkDataValue; userid: number; at: number }>();
  for (const { data = [], userid, at } of events)
    for (const value of data) last.set(value.field_guid, { value, userid, at });
  return [...last.values()].flatMap(({ value: one, userid, at }) => {
    const value = Number(one.value);
    if (one.field_type !== 'Numeric Input' || one.value.trim() === '' || !Number.isFinite(value)) return [];
    const { field_guid, stepid, label, unit = '', limits } = one;
    const { min = null, max = null } = limits ?? {};
    return [{ field_guid, stepid, label, unit, value, min, max, userid, at: Math.floor(at / 1000) }];
  });
}
