import { reports } from '#shared/api/reports.ts';
import { handle } from '#server/http/handle.ts';

import { reportDeviations } from './deviations.ts';
import { reportDurations } from './durations.ts';
import { reportFirstPassYield } from './first-pass-yield.ts';
import { listNumberFields, reportNumbers } from './numbers.ts';

export const reportHandlers = handle(reports, {
  durations: ({ query }, ctx) => reportDurations(ctx, query),
  firstPassYield: ({ query }, ctx) => reportFirstPassYield(ctx, query),
  deviations: ({ query }, ctx) => reportDeviations(ctx, query),
  numberFields: ({ query }, ctx) => listNumberFields(ctx, query),
  numbers: ({ query }, ctx) => reportNumbers(ctx, query),
});
