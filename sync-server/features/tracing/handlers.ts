import { tracing } from '#shared/api/tracing.ts';
import { handle } from '#server/http/handle.ts';

import { suggestNumbers, traceOrders } from './store.ts';

export const tracingHandlers = handle(tracing, {
  trace: ({ query }, ctx) => traceOrders(ctx, query),
  numbers: ({ query }, ctx) => suggestNumbers(ctx, query.prefix),
});
