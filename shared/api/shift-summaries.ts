import { z } from 'zod';

import { shiftSummaryHead, shiftSummaryRecord } from '#shared/model/shift-summaries.ts';

import { get, idText, limit, offset, order, post } from './endpoint.ts';

const tag = {
  name: 'Shift summaries',
  description: 'What a team did in a span of time, with a note for the next shift (extension)',
};

const shiftSummaryId = z.strictObject({ shift_summaryid: idText });

/** Filters of GET /shift_summaries. */
export const shiftSummaryFilter = z.object({ offset, limit, order, teamid: idText.optional() });
export type ShiftSummaryFilter = z.output<typeof shiftSummaryFilter>;

/** Maximum length of the note, in characters. */
export const shiftNoteLimit = 4000;

/** UNIX seconds up to the year 9999. */
const moment = z.int().min(0).max(253_402_300_799);

/** Body of POST /shift_summaries: the summary spans `from` to `to`, at most a week. */
export const newShiftSummary = z.strictObject({
  teamid: z.int().positive(),
  from: moment,
  to: moment,
  note: z.string().trim().max(shiftNoteLimit).optional(),
});
export type NewShiftSummary = z.output<typeof newShiftSummary>;

export const shiftSummaries = {
  list: get('/shift_summaries', {
    tag,
    extension: true,
    lasts: 'until-written',
    summary: 'List shift summaries',
    query: shiftSummaryFilter,
    result: z.array(shiftSummaryHead),
  }),
  read: get('/shift_summaries/{shift_summaryid}', {
    tag,
    extension: true,
    lasts: 'until-written',
    summary: 'Read a shift summary',
    params: shiftSummaryId,
    result: shiftSummaryRecord,
  }),
  create: post('/shift_summaries', {
    tag,
    extension: true,
    summary: 'Make a summary of what a team did in a span of time',
    status: 201,
    body: newShiftSummary,
    result: shiftSummaryRecord,
    refuses: [400, 403],
    offline: 'shift-summary',
  }),
};
