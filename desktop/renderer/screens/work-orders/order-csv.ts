import type { DeviationView } from '#desktop/engine/api/deviation-records.ts';
import type { RecordedValue, StepView, WorkOrder } from '#desktop/engine/api/records.ts';
import { csvOf } from '#desktop/renderer/text/csv.ts';
import { text } from '#desktop/renderer/text/en.ts';
import type { WorkRecord } from '#shared/model/work-record.ts';

import { revisionWords } from './revision-words.ts';
import { shownValue, stepName } from './value-table.tsx';

/**
 * The record of a work order as CSV (RFC 4180): a row for each revision, value, missing value, time of a step, change of
 * state and deviation. `record`: for the times of each person. Times are ISO 8601 in UTC, durations in seconds. New columns
 * are added at the end, because others read it by position.
 */
export function orderCsv(
  order: WorkOrder,
  deviations: readonly DeviationView[],
  steps: readonly StepView[],
  record: WorkRecord | null,
): string {
  const { csv } = text.workOrders;
  const time = (at: number): string => new Date(at).toISOString();
  const rows: (string | number)[][] = [
    [csv.kind, csv.step, csv.name, csv.value, csv.min, csv.max, csv.person, csv.time, csv.note, csv.unit],
    [
      csv.order,
      '',
      order.workorderid,
      text.workOrders.states[order.status],
      '',
      '',
      order.username,
      time(order.startedAt),
      order.guideTitle,
    ],
    ...order.revisions.map(({ decision, revision, username, at }) => [
      csv.revision,
      '',
      text.revisions.decisions[decision],
      revisionWords(revision),
      '',
      '',
      username,
      time(at),
      '',
    ]),
    ...order.history.map(({ type, username, at, note }) => [
      csv.change,
      '',
      text.workOrders.moves[type],
      '',
      '',
      '',
      username,
      time(at),
      note ?? '',
    ]),
    ...Object.values(order.values).map((value) => [
      csv.recorded,
      stepName(steps, value.stepid),
      value.label,
      shownValue({ ...value, unit: '' }),
      value.limits?.min ?? '',
      value.limits?.max ?? '',
      '',
      '',
      noteOf(value),
      value.unit,
    ]),
    ...order.gaps.map(({ label, stepid, reason }) => [
      csv.gap,
      stepName(steps, stepid),
      label,
      '',
      '',
      '',
      '',
      '',
      reason ?? text.workOrders.noReason,
    ]),
    ...timesOf(order, record).map(({ stepid, person, seconds }) => [
      csv.duration,
      stepName(steps, stepid),
      text.player.time,
      seconds,
      '',
      '',
      person,
      '',
      '',
    ]),
    ...deviations.map(({ title, measured, note, username, at, decision, stepid }) => [
      csv.deviation,
      stepName(steps, stepid),
      title,
      measured?.value ?? '',
      measured?.limits?.min ?? '',
      measured?.limits?.max ?? '',
      username,
      time(at),
      [
        note,
        decision === null
          ? text.deviations.open
          : `${text.deviations.dispositions[decision.disposition]} (${decision.username}): ${decision.reason}`,
      ]
        .filter((part) => part !== '')
        .join('\n'),
      measured?.unit ?? '',
    ]),
  ];
  const width = rows[0]?.length ?? 0;
  return csvOf(rows.map((row) => [...row, ...Array<string>(width - row.length).fill('')]));
}

/** What is to be said about a value. */
function noteOf({ broken, isComputed, isFailed, reason }: RecordedValue): string {
  const { outOfLimits, computed, failed } = text.workOrders;
  return [
    isFailed ? failed : '',
    reason,
    broken === null ? '' : outOfLimits[broken.side](String(broken.limit)),
    isComputed ? computed : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

interface StepTime {
  stepid: string;
  person: string;
  seconds: number;
}

/** Working time at each step for each person; without the record, for all people together. */
function timesOf({ stepMs }: WorkOrder, record: WorkRecord | null): StepTime[] {
  if (record === null)
    return Object.entries(stepMs).map(([stepid, ms]) => ({
      stepid,
      person: '',
      seconds: Math.round(ms / 1000),
    }));
  return record.step_times.map(({ stepid, userid, duration }) => ({
    stepid: String(stepid),
    person: record.people.find((one) => one.userid === userid)?.name ?? '',
    seconds: duration,
  }));
}
