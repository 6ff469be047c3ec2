import type { GuideFacts } from '#shared/model/guide.ts';
import type { ArchivedGuide } from '#shared/formats/omanual/archive.ts';
import type { Context } from '#server/core/context.ts';
import { findVisibleGuide } from '#server/features/guides/policy.ts';
import { prepared } from '#server/storage/prepared.ts';

import { ImportedIds } from '../../guides/import/ids.ts';

/** Where an archive comes from, as far as numbers can be recognised again. */
export interface Origin {
  /** Address of the site, without a trailing slash; '' when unknown. */
  base: string;
  /** Its host; '' when unknown. */
  host: string;
  /** It is this site. */
  isOwn: boolean;
}

/** What `base` of an archive means here. */
export function originOf(base: string, own: readonly (string | null)[]): Origin {
  const url = URL.parse(base);
  if (url === null || !/^https?:$/.test(url.protocol)) return { base: '', host: '', isOwn: false };
  return {
    base,
    host: url.host,
    isOwn: own.some((one) => one !== null && URL.parse(one)?.host === url.host),
  };
}

/** What a guide of an archive is recognised by. */
export interface Recognisable extends Pick<ArchivedGuide, 'foreignId'> {
  facts: Pick<GuideFacts, 'title' | 'category' | 'type' | 'langid'>;
}

/**
 * The guide here that a guide of an archive is: of the site's own archives by its number, of another site's by what an
 * import remembered, else the one of the same category, type and title in the same language. Guides that the person may
 * not see are not there.
 */
export async function existingGuide(
  ctx: Context,
  { foreignId, facts }: Recognisable,
  origin: Origin,
): Promise<GuideFacts | undefined> {
  if (foreignId !== null && origin.isOwn) {
    const own = await findVisibleGuide(ctx, foreignId);
    if (own !== undefined) return own;
  }
  if (foreignId !== null && origin.host !== '') {
    const known = await new ImportedIds(ctx, origin.host).find('guide', foreignId);
    const found = known === undefined ? undefined : await findVisibleGuide(ctx, known);
    if (found !== undefined) return found;
  }
  const { title, category, type, langid } = facts;
  for (const { guideid } of await guidesCalled(ctx.db, { title, category, type, langid })) {
    const found = await findVisibleGuide(ctx, guideid);
    if (found !== undefined) return found;
  }
  return undefined;
}

const guidesCalled = prepared<Recognisable['facts'], { guideid: number }>((db, value) =>
  db
    .selectFrom('guides')
    .select('guideid')
    .where('title', '=', value('title'))
    .where('category', '=', value('category'))
    .where('type', '=', value('type'))
    .where('langid', '=', value('langid'))
    .where('deleted', '=', 0)
    .orderBy('guideid'),
);
