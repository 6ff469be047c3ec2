/** Which part of a list an answer shows. */
export interface Page {
  offset: number;
  limit: number;
  /** Records of the whole list, as far as the viewer may see them. */
  total: number;
}

/** The page that the query of a list asked for; a list without paging shows all it has. */
export function pageOf(query: unknown, total: number): Page {
  const { offset, limit } = (query ?? {}) as { offset?: number; limit?: number };
  return { offset: offset ?? 0, limit: limit ?? total, total };
}

/**
 * `X-Total-Count`, and `Link` to the first, previous, next and last page (RFC 8288) with the rest of the query as it
 * was sent. `url`: path and query of the request.
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
