import { shiftSummaries } from '#shared/api/shift-summaries.ts';
import { handle } from '#server/http/handle.ts';

import { mustMakeFor } from './policy.ts';
import { listSummaries, makeSummary, representSummary } from './store.ts';

export const shiftSummaryHandlers = handle(
  shiftSummaries,
  {
    list: ({ query }, ctx) => listSummaries(ctx, query),
    read: ({ params }, ctx) => representSummary(ctx, params.shift_summaryid),
    create: {
      allow: (_input, ctx) => mustMakeFor(ctx, ctx.viewer.leads),
      run: ({ body }, ctx) => makeSummary(ctx, body),
    },
  },
  {
    shiftSummary: (ctx, id) => representSummary(ctx, Number(id)),
  },
);
