import { z } from 'zod';

import type { Endpoint } from '#shared/api/endpoint.ts';

/** Parameters that calls read whatever their table declares. */
const everywhere = ['lang', 'langid'];

/**
 * Path and query of a call as far as its endpoint reads them: parameters that it does not know are ignored, and of equal
 * names the last one counts.
 */
export function knownTarget({ query }: Pick<Endpoint, 'query'>, url: string): string {
  const start = url.indexOf('?');
  if (start < 0) return url;
  const names = query === undefined ? [] : namesOf(query);
  // If in doubt, the answers are kept separately.
  if (names === undefined) return url;
  const read = new Set([...names, ...everywhere]);
  const known = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(url.slice(start + 1)))
    if (read.has(name)) known.set(name, value);
    else if (name === 'pretty') known.set(name, '');
  const search = known.toString();
  return url.slice(0, start) + (search === '' ? '' : `?${search}`);
}

function namesOf(schema: z.ZodType): string[] | undefined {
  if (schema instanceof z.ZodPipe) return namesOf(schema.in as z.ZodType);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : undefined;
}
