import { Problem } from '#shared/api/problem.ts';
import { search, searchFilters, type SearchFilter } from '#shared/api/search.ts';
import { neutralImage } from '#shared/model/image.ts';
import { handle } from '#server/http/handle.ts';

import { findRecords } from './store.ts';

/** Number of suggestions, as on live servers (API facts 17). */
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
      filters: doctypesIn(query.doctypes),
      titlesOnly: true,
      limit: mostSuggestions,
      offset: 0,
    });
    const suggestions = results.map((one) =>
      one.dataType === 'guide'
        ? { ...one, image: one.image ?? neutralImage(ctx.baseUrl) }
        : { ...one, image: one.image ?? neutralImage(ctx.baseUrl) },
    );
    return { query: params.query, results: suggestions };
  },
});

/** The valid kinds among the given names. Throws 400 if there are names and none is valid. */
function doctypesIn(names: string[]): SearchFilter[] {
  const kinds = searchFilters.filter((kind) => names.includes(kind));
  if (names.length > 0 && kinds.length === 0)
    throw new Problem('bad-json', `A doctype is one of ${searchFilters.join(', ')}`);
  return kinds;
}
