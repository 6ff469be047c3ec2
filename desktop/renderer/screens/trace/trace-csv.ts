import type { DeviationView } from '#desktop/engine/api/deviation-records.ts';
import type { TracedOrder } from '#desktop/engine/api/tracing.ts';
import { text } from '#desktop/renderer/text/en.ts';
import type { WorkRecord } from '#shared/model/work-record.ts';
import { isDeviating } from '#shared/rules/field-value.ts';

import { csvOf } from '#desktop/renderer/text/csv.ts';
import { revisionWords } from '../work-orders/revision-words.ts';
import { moveWords, nameIn, valueWords } from './value-words.ts';

/** The last columns of a row, from the kind on. */
interface Row {
  kind: string;
  name?: string;
  value?: string;
  unit?: string;
  min?: number | null | undefined;
  max?: number | null | undefined;
  deviates?: boolean;
  person?: string;
  /** ISO 8601 in UTC. */
  time?: string;
  note?: string;
}

/**
 * Orders as CSV (RFC 4180): for each order a row for each number, revision, value, photo, missing value, change of state and
 * deviation. Each row names its order, so that rows can be filtered and sorted. Times are ISO 8601 in UTC.
 */
export function traceCsv(orders: readonly TracedOrder[]): string {
  const { csv } = text.tracing;
  const head = [
    csv.order,
    csv.entry,
    csv.guide,
    csv.revision,
    csv.status,
    csv.kind,
    csv.name,
    csv.value,
    csv.unit,
    csv.min,
    csv.max,
    csv.deviates,
    csv.person,
    csv.time,
    csv.note,
  ];
  return csvOf([head, ...orders.flatMap(rowsOf)]);
}

function rowsOf({ entryid, record, deviations }: TracedOrder): (string | number)[][] {
  const last = record.revisions.findLast(({ decision }) => decision !== 'keep');
  const revision = last === undefined ? '' : revisionWords(last);
  const own = [
    record.workorderid,
    entryid,
    record.guide_title,
    revision,
    text.workOrders.states[record.status],
  ];
  const rows: Row[] = [
    ...(record.serials ?? []).map((value) => ({ kind: text.tracing.csv.serial, value })),
    ...record.revisions.map((one) => ({
      kind: text.workOrders.csv.revision,
      name: text.revisions.decisions[one.decision],
      value: revisionWords(one),
      person: nameIn(record, one.userid),
      time: one.at,
    })),
    ...record.history.map(({ type, userid, at, note = '' }) => ({
      kind: text.workOrders.csv.change,
      name: moveWords(type),
      person: nameIn(record, userid),
      time: at,
      note,
    })),
    ...record.values.flatMap((value) => valueRows(value, record)),
    ...record.missing.map(({ label, reason }) => ({
      kind: text.workOrders.csv.gap,
      name: label,
      deviates: true,
      note: reason ?? text.workOrders.noReason,
    })),
    ...deviations.map(deviationRow),
  ];
  return rows.map((row) => [
    ...own,
    row.kind,
    row.name ?? '',
    row.value ?? '',
    row.unit ?? '',
    row.min ?? '',
    row.max ?? '',
    row.deviates === true ? text.tracing.csv.yes : '',
    row.person ?? '',
    row.time ?? '',
    row.note ?? '',
  ]);
}

function valueRows(value: WorkRecord['values'][number], record: WorkRecord): Row[] {
  const { label, unit = '', limits, files = [], reason = '', userid, at } = value;
  const by = { name: label, person: nameIn(record, userid), time: at };
  const { unit: _unit, ...bare } = value;
  return [
    {
      kind: text.workOrders.csv.recorded,
      ...by,
      // Programs read a number as it is stored (LANGUAGE-8).
      value: bare.field_type === 'Numeric Input' && bare.value !== '' ? bare.value : valueWords(bare),
      unit,
      min: limits?.min,
      max: limits?.max,
      deviates: isDeviating(value),
      note: reason,
    },
    ...files.map((file) => ({ kind: text.tracing.csv.photo, ...by, value: file })),
  ];
}

function deviationRow({ title, measured, note, username, at, decision }: DeviationView): Row {
  const decided =
    decision === null
      ? text.deviations.open
      : `${text.deviations.dispositions[decision.disposition]} (${decision.username}): ${decision.reason}`;
  return {
    kind: text.workOrders.csv.deviation,
    name: title,
    value: measured?.value ?? '',
    unit: measured?.unit ?? '',
    min: measured?.limits?.min,
    max: measured?.limits?.max,
    deviates: true,
    person: username,
    time: new Date(at).toISOString(),
    note: [note, decided].filter((part) => part !== '').join('\n'),
  };
}
