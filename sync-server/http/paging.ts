/**
 * Pages of lists.
 *
 * - HTTP-14 A `limit` above 200 is reduced to 200. One that is not a number, or below 1, is refused.
 * - HTTP-16 Lists are filtered, ordered by id, and then cut by `offset` and `limit`.
 * - LIST-1 A list states its total number of records (`X-Total-Count`), whatever the page shows.
 * - LIST-2 A list links to the other pages (`Link`). Following `next` returns every record once.
 * - LIST-3 The total counts only what the caller may see.
 */
import { z } from 'zod';

/** The part of a list in a response. */
export interface Page {
  offset: number;
  limit: number;
  /** Total number of records that the viewer may see. */
  total: number;
}

const paged = z.object({ offset: z.int().default(0), limit: z.int().optional() });

/**
 * The page in a response; undefined if it is not a list. `total`: what the handler passed to `ctx.total`. A list
 * without `limit` is complete.
 */
export function pageOf(query: unknown, answer: unknown, total: number | undefined): Page | undefined {
  const { offset, limit } = paged.parse(query ?? {});
  const isWhole = Array.isArray(answer) && limit === undefined;
  const all = total ?? (isWhole ? answer.length : undefined);
  return all === undefined ? undefined : { offset, limit: limit ?? all, total: all };
}

/**
 * `X-Total-Count`, and `Link` to the first, previous, next and last page (RFC 8288) with the rest of the query. `url`:
 * path and query of the request, without parameters that its endpoint does not know.
 */
export function pageHeaders(page: Page, url: string): Record<string, string> {
  const { offset, limit, total } = page;
  const headers = { 'X-Total-Count': String(total) };
  if (limit < 1 || (offset === 0 && limit >= total)) return headers;
  const [path = '', search = ''] = url.split('?', 2);
  const link = (rel: string, at: number): string => {
    const query = new URLSearchParams(search);
    query.set('offset', String(at));
    query.set('limit', String(limit));
    return `<${path}?${query.toString()}>; rel="${rel}"`;
  };
  const links = [
    link('first', 0),
    ...(offset > 0 ? [link('prev', Math.max(0, offset - limit))] : []),
    ...(offset + limit < total ? [link('next', offset + limit)] : []),
    link('last', Math.max(0, Math.floor((total - 1) / limit) * limit)),
  ];
  return { ...headers, Link: links.join(', ') };
}
