import { z } from 'zod';

import { get, idText, unixSeconds } from './endpoint.ts';

const tag = {
  name: 'Reports',
  description:
    'Durations, first-pass yield, deviations and measured numbers of finished work orders (extension)',
};

/** Days before now that a report covers if it names no start. */
export const reportDays = 90;
/** Days that a report covers at most: two years, with a leap day and the hour of a change of clocks. */
export const mostReportDays = 732;
/** Maximum number of rows of a report. */
export const mostReportRows = 200;
/** Maximum number of values in a series; the latest ones. */
export const mostReportValues = 1000;

const seconds = z.coerce.number().pipe(unixSeconds);

/** Which finished orders a report counts: by their end, guide, person who finished them, and team of somebody who held them. */
const filter = {
  guideid: idText.optional().meta({ description: 'Only orders on this guide' }),
  userid: idText.optional().meta({ description: 'Only orders that this person finished' }),
  teamid: idText.optional().meta({ description: 'Only orders that a member of this team held' }),
  from: seconds.optional().meta({
    description: `Only orders finished from this UNIX time on, at most ${mostReportDays} days before \`until\`; by default ${reportDays} days before it`,
  }),
  until: seconds
    .optional()
    .meta({ description: 'Only orders finished before this UNIX time; by default now' }),
};
const reportFilter = z.object(filter);
export type ReportFilter = z.output<typeof reportFilter>;

/** The time that was counted, UNIX seconds, and the number of orders in it. */
const span = { from: z.int(), until: z.int(), orders: z.int() };

/** By what durations are grouped. */
export const durationGroups = ['guide', 'step', 'person'] as const;
export type DurationGroup = (typeof durationGroups)[number];

/** By what deviations are grouped. */
export const deviationGroups = ['kind', 'guide', 'step', 'field'] as const;
export type DeviationGroup = (typeof deviationGroups)[number];

/**
 * What was not as it must be: a number out of limits, a failed check, something that somebody reported in words, or a
 * required field without a value.
 */
export const deviationKinds = ['out-of-limits', 'failed', 'reported', 'missing'] as const;
export type DeviationKind = (typeof deviationKinds)[number];

const durationQuery = reportFilter.extend({
  by: z
    .enum(durationGroups)
    .default('guide')
    .meta({ description: 'What a row is about; `step` needs a guideid' }),
});
export type DurationQuery = z.output<typeof durationQuery>;

const deviationQuery = reportFilter.extend({
  by: z.enum(deviationGroups).default('kind').meta({ description: 'What a row is about' }),
});
export type DeviationQuery = z.output<typeof deviationQuery>;

const numberQuery = reportFilter.extend({
  field_guid: z.string().min(1).max(255).meta({ description: 'The field, in all its revisions' }),
});
export type NumberQuery = z.output<typeof numberQuery>;

/** Durations in seconds. `id`: of a guide, step or person, as the query asked. `count`: of what was measured. */
const durationReport = z
  .strictObject({
    ...span,
    /** Whether there are more rows than these, which have the highest counts. */
    more: z.boolean(),
    rows: z.array(
      z.strictObject({
        id: z.int(),
        count: z.int(),
        median: z.number(),
        p90: z.number(),
        total: z.int(),
      }),
    ),
  })
  .meta({ id: 'DurationReport' });
export type DurationReport = z.infer<typeof durationReport>;

/** `counted`: orders that are no rework; `passed`: those of them without deviation and missing value (REPORT-3). */
const yieldReport = z
  .strictObject({
    ...span,
    counted: z.int(),
    passed: z.int(),
    more: z.boolean(),
    rows: z.array(z.strictObject({ guideid: z.int(), counted: z.int(), passed: z.int() })),
  })
  .meta({ id: 'YieldReport' });
export type YieldReport = z.infer<typeof yieldReport>;

/** `total`: of all rows, also those that are not listed. A row has what the query asked for. `stepid` 0: at no step. */
const deviationReport = z
  .strictObject({
    ...span,
    total: z.int(),
    more: z.boolean(),
    rows: z.array(
      z.strictObject({
        count: z.int(),
        kind: z.enum(deviationKinds).optional(),
        guideid: z.int().optional(),
        stepid: z.int().optional(),
        /** Absent of what somebody reported in words. */
        field_guid: z.string().optional(),
        /** The latest label of the field. */
        label: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'DeviationReport' });
export type DeviationReport = z.infer<typeof deviationReport>;

const numberField = z.strictObject({
  field_guid: z.string(),
  guideid: z.int(),
  stepid: z.int(),
  /** Label and unit of its latest value. */
  label: z.string(),
  unit: z.string(),
  count: z.int(),
});

const numberFieldReport = z
  .strictObject({ ...span, more: z.boolean(), rows: z.array(numberField) })
  .meta({ id: 'NumberFieldReport' });
export type NumberFieldReport = z.infer<typeof numberFieldReport>;

/** The latest values of a field, oldest first. `at`: when it was recorded, UNIX seconds; `userid`: by whom. */
const numberReport = z
  .strictObject({
    ...span,
    label: z.string(),
    unit: z.string(),
    /** Whether there are earlier values in this time. */
    more: z.boolean(),
    values: z.array(
      z.strictObject({
        entryid: z.int(),
        workorderid: z.string(),
        userid: z.int(),
        at: z.int(),
        value: z.number(),
        min: z.number().nullable(),
        max: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'NumberReport' });
export type NumberReport = z.infer<typeof numberReport>;

const report = { tag, extension: true } as const;

export const reports = {
  durations: get('/reports/durations', {
    ...report,
    summary: 'Report how long finished orders took, by guide, step or person',
    query: durationQuery,
    result: durationReport,
  }),
  firstPassYield: get('/reports/first_pass_yield', {
    ...report,
    summary: 'Report the first-pass yield of guides',
    query: reportFilter,
    result: yieldReport,
  }),
  deviations: get('/reports/deviations', {
    ...report,
    summary: 'Count deviations and missing values, most frequent first',
    query: deviationQuery,
    result: deviationReport,
  }),
  numberFields: get('/reports/number_fields', {
    ...report,
    summary: 'List the number fields that have values',
    query: reportFilter,
    result: numberFieldReport,
  }),
  numbers: get('/reports/numbers', {
    ...report,
    summary: 'Read the values of a number field over time',
    query: numberQuery,
    result: numberReport,
  }),
};
