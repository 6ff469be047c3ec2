import { z } from 'zod';

/** Which part of a list an answer shows. */
export interface Page {
  offset: number;
  limit: number;
  /** Records of the whole list, as far as the viewer may see them. */
  total: number;
}

const paged = z.object({ offset: z.int().default(0), limit: z.int().optional() });

/**
 * Which page of a list an answer is; undefined: it is no list. `total`: what the handler said; a list that cannot be
 * asked for in pages shows all it has.
 */
export function pageOf(query: unknown, answer: unknown, total: number | undefined): Page | undefined {
  const { offset, limit } = paged.parse(query ?? {});
  const isWhole = Array.isArray(answer) && limit === undefined;
  const all = total ?? (isWhole ? answer.length : undefined);
  return all === undefined ? undefined : { offset, limit: limit ?? all, total: all };
}

/**
 * `X-Total-Count`, and `Link` to the first, previous, next and last page (RFC 8288) with the rest of the query as it
 * was sent. `url`: path and query of the request, as far as its endpoint knows them.
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
