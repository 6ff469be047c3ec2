import { z } from 'zod';

import { deviation, disposition } from '#shared/model/deviations.ts';
import { moment } from '#shared/model/work-log.ts';

import { get, idText, limit, offset, order, post } from './endpoint.ts';

const tag = {
  name: 'Deviations',
  description: 'What was not as it must be in work orders, and what was decided about it (extension)',
};

const deviationId = z.strictObject({ deviationid: idText });

/** Filters of GET /deviations. */
export const deviationFilter = z.object({
  offset,
  limit,
  order,
  entryid: idText.optional(),
  guideid: idText.optional(),
  workorderid: z.string().optional(),
  state: z
    .enum(['open', 'decided'])
    .optional()
    .meta({ description: 'Only those that wait for a decision, or only those that have one' }),
});
export type DeviationFilter = z.output<typeof deviationFilter>;

/** Maximum length of what a person writes about a deviation, in characters. */
export const deviationTextLimit = 4000;
/** Maximum number of pictures in a report. */
export const deviationPictureLimit = 20;
/**
 * What one deviation holds of all its reports: characters of its note, and pictures. A report that does not fit becomes a
 * further deviation.
 */
export const deviationNoteLimit = 20_000;
export const deviationPicturesLimit = 100;
const words = z.string().trim().max(deviationTextLimit);

/**
 * Body of POST /deviations. With `field_revisionid`: the value that the entry has in this field, whose label is the
 * title. Without: something else, which `title` names. `images`: pictures of the caller's media manager. The fields of a
 * moment are the time of the report.
 */
export const newDeviation = z.strictObject({
  entryid: z.int().positive(),
  field_revisionid: z.int().positive().optional(),
  title: words.min(1).max(200).optional(),
  note: words.optional(),
  images: z.array(z.int().positive()).max(deviationPictureLimit).optional(),
  ...moment.shape,
});
export type NewDeviation = z.output<typeof newDeviation>;

/** Body of POST disposition. */
export const newDecision = z.strictObject({ disposition, reason: words.min(1) });
export type NewDecision = z.output<typeof newDecision>;

export const deviations = {
  list: get('/deviations', {
    tag,
    extension: true,
    lasts: 'until-written',
    summary: 'List deviations',
    query: deviationFilter,
    result: z.array(deviation),
  }),
  read: get('/deviations/{deviationid}', {
    tag,
    extension: true,
    lasts: 'until-written',
    summary: 'Read a deviation',
    params: deviationId,
    result: deviation,
  }),
  create: post('/deviations', {
    tag,
    extension: true,
    summary: 'Report a deviation in a work order',
    status: 201,
    body: newDeviation,
    result: deviation,
    refuses: [400, 403, 404],
    offline: 'deviation-report',
    recorded: true,
  }),
  decide: post('/deviations/{deviationid}/disposition', {
    tag,
    extension: true,
    summary: 'Decide what happens to the part',
    params: deviationId,
    body: newDecision,
    result: deviation,
    revisioned: deviation,
    offline: 'deviation-decide',
  }),
};
