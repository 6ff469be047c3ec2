import { z } from 'zod';

import { guideSummary } from '#shared/model/guide-record.ts';
import { imageObject } from '#shared/model/image.ts';
import { wikiLight } from '#shared/model/wiki-record.ts';

import { get, limit, offset } from './endpoint.ts';

/** Values of `filter` (as on live servers); apps use `device` for categories and `product` for items. */
export const searchFilters = [
  'guide',
  'teardown',
  'wiki',
  'category',
  'device',
  'item',
  'product',
  'info',
  'question',
] as const;
export type SearchFilter = (typeof searchFilters)[number];

/** A comma-separated list of names; absent or empty: everything. */
const names = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

const filters = names.pipe(z.array(z.enum(searchFilters, `A filter is one of ${searchFilters.join(', ')}`)));

/** A search result: a guide summary or a light wiki, distinguished by `dataType`. */
const found = z.discriminatedUnion('dataType', [guideSummary, wikiLight]);

/**
 * A suggestion: a search result with a picture.
 *
 * - LIVE-2 Every suggestion has an image object; a record without a picture has the neutral one of the site.
 */
const suggested = z.discriminatedUnion('dataType', [
  guideSummary.extend({ image: imageObject }).meta({ id: 'SuggestedGuide' }),
  wikiLight.extend({ image: imageObject }).meta({ id: 'SuggestedWiki' }),
]);

const query = z.strictObject({ query: z.string().min(1).max(500) });

export const search = {
  search: get('/search/{query}', {
    lasts: 'until-written',
    summary: 'Search guides and wikis by their words, best match first',
    access: 'public',
    params: query,
    query: z.object({ filter: filters, limit, offset }),
    result: z.strictObject({
      search: z.string(),
      totalResults: z.int(),
      moreResults: z.boolean(),
      limit: z.int(),
      offset: z.int(),
      results: z.array(found),
    }),
    extension: true,
  }),
  suggest: get('/suggest/{query}', {
    summary: 'Suggest up to ten guides and wikis whose titles hold the words typed so far',
    access: 'public',
    params: query,
    // Unknown names are ignored, unless all are unknown (as on live servers).
    query: z.object({ doctypes: names }),
    result: z.strictObject({ query: z.string(), results: z.array(suggested) }),
    refuses: [400, 404],
    extension: true,
  }),
};
