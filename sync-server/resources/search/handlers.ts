import { search } from '#shared/api/search.ts';
import { handle } from '#server/http/handle.ts';

import { findRecords } from './store.ts';

/** As many suggestions as live servers give (API facts 17). */
const mostSuggestions = 10;

export const searchHandlers = handle(search, {
  search: async ({ params, query }, ctx) => {
    const { filter, limit, offset } = query;
    const { results, total } = await findRecords(ctx, {
      words: params.query,
      filters: filter,
      limit,
      offset,
    });
    ctx.total(total);
    return {
      search: params.query,
      totalResults: total,
      moreResults: offset + limit < total,
      limit,
      offset,
      results,
    };
  },
  suggest: async ({ params, query }, ctx) => {
    const { results } = await findRecords(ctx, {
      words: params.query,
      filters: query.doctypes,
      titlesOnly: true,
      limit: mostSuggestions,
      offset: 0,
    });
    return { query: params.query, results };
  },
});
