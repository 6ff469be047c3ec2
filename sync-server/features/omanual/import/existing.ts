import type { GuideFacts } from '#shared/model/guide.ts';
import type { ArchivedGuide } from '#shared/formats/omanual/archive.ts';
import type { Context } from '#server/core/context.ts';
import { findVisibleGuide } from '#server/features/guides/policy.ts';
import { prepared } from '#server/storage/prepared.ts';

import { ImportedIds } from '../../guides/import/ids.ts';

/** The site of an archive, by which its numbers are recognised. */
export interface Origin {
  /** Address of the site, without a trailing slash; '' if unknown. */
  base: string;
  /** Its host; '' if unknown. */
  host: string;
  /** Whether it is this site. */
  isOwn: boolean;
}

/** The origin of an archive by its `base`. `own`: addresses of this site. */
export function originOf(base: string, own: readonly (string | null)[]): Origin {
  const url = URL.parse(base);
  if (url === null || !/^https?:$/.test(url.protocol)) return { base: '', host: '', isOwn: false };
  return {
    base,
    host: url.host,
    isOwn: own.some((one) => one !== null && URL.parse(one)?.host === url.host),
  };
}

/** The fields by which a guide of an archive is recognised. */
export interface Recognisable extends Pick<ArchivedGuide, 'foreignId'> {
  facts: Pick<GuideFacts, 'title' | 'category' | 'type' | 'langid'>;
}

/**
 * The existing guide that equals a guide of an archive: by its number for archives of this site, by earlier imports for
 * other sites, or else by category, type, title and language. Guides that the person may not see are ignored.
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
