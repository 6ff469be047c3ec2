import type { DeviationView } from '#desktop/engine/api/deviation-records.ts';
import type { RecordedValue, StepView, WorkOrder } from '#desktop/engine/api/records.ts';
import { csvOf } from '#desktop/renderer/text/csv.ts';
import { text } from '#desktop/renderer/text/en.ts';
import type { WorkRecord, WorkRecordFile } from '#shared/model/work-record.ts';

import { secondPersonWords } from '../second-person/second-person-state.tsx';
import { revisionWords } from './revision-words.ts';
import { shownValue } from './shown-value.ts';
import { stepName } from './step-name.ts';

/**
 * The record of a work order as CSV (RFC 4180): a row for each serial or lot number, revision, value, missing value, time of a step, change of
 * state, deviation, second person and signature. `file`: the record, for signatures and the times of each person. Times are
 * ISO 8601 in UTC, durations in seconds. New columns are added at the end, because others read it by position.
 */
export function orderCsv(
  order: WorkOrder,
  deviations: readonly DeviationView[],
  steps: readonly StepView[],
  file: WorkRecordFile | null,
): string {
  const record = file?.record ?? null;
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
    ...order.serials.map((serial) => [csv.serial, '', '', serial]),
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
      isNumber(value) ? value.value : shownValue({ ...value, unit: '' }),
      value.limits?.min ?? '',
      value.limits?.max ?? '',
      '',
      '',
      noteOf(value),
      value.unit,
    ]),
    ...Object.values(order.values).flatMap(({ second, stepid, label, value }) =>
      second === null
        ? []
        : [
            [
              csv.secondPerson,
              stepName(steps, stepid),
              label,
              text.secondPerson.states[second.state],
              '',
              '',
              second.state === 'named' ? value : second.name,
              second.at === null ? '' : time(second.at),
              secondPersonWords(second),
            ],
          ],
    ),
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
  for (const { name, meaning, sha256, date, comment, method, applies } of file?.signatures ?? [])
    rows.push([
      csv.signature,
      '',
      text.records.meanings[meaning],
      sha256,
      '',
      '',
      name,
      time(date * 1000),
      [text.records.methods[method], comment, applies ? '' : text.records.doesNotApply]
        .filter((part) => part !== '')
        .join('\n'),
    ]);
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

/** Programs read a number as it is stored (LANGUAGE-8). */
function isNumber({ fieldType, value }: RecordedValue): boolean {
  return fieldType === 'Numeric Input' && value !== '';
}
