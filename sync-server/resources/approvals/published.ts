import type { GuideFacts } from '#shared/model/guide.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { findDocument } from '#server/storage/feed.ts';
import type { Db } from '#server/storage/tables.ts';

import type { RequestRow } from './facts.ts';
import { factsOfVersion } from './revision-hash.ts';

/**
 * Why what readers see under the signatures of a publication is not what was signed; null: it is. Compared are the
 * version that was made of the signed one, and, while that is the version of now, the record that readers and devices
 * get.
 */
export async function misfitOfPublished(db: Db, request: RequestRow): Promise<string | null> {
  const { guideid, published_guide_revisionid } = request;
  if (published_guide_revisionid === null) return null;
  const signed = await factsOfVersion(db, request);
  if (signed === null) return null;
  const published = await factsOfVersion(db, { guideid, guide_revisionid: published_guide_revisionid });
  if (published === null) return 'the version that was published is gone';
  if (!sameText(published, signed)) return 'the version that was published is not what was signed';
  const shown = await findDocument(db, 'guides', guideid);
  if (shown?.guide_revisionid !== published_guide_revisionid) return null;
  return sameText(shown, signed) ? null : 'what readers see is not what was signed';
}

/** Whether two versions say the same. The category is left out: its renaming makes no version. */
function sameText(one: GuideFacts, other: GuideFacts): boolean {
  const said = (facts: GuideFacts): object => ({
    ...contentOf(facts),
    category: '',
    langid: facts.langid,
    pins: facts.prerequisite_releases ?? [],
  });
  return sameValue(said(one), said(other));
}
