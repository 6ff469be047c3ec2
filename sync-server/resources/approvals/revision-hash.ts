import { createHash } from 'node:crypto';

import type { GuideFacts } from '#shared/model/guide.ts';
import { canonicalJson } from '#shared/rules/canonical-json.ts';
import type { Db } from '#server/storage/tables.ts';

/** A prerequisite as it was released. */
interface PinnedRelease {
  guideid: number;
  releaseid: number;
}

/** The releases that a version shows its pinned prerequisites as; one that follows the last release has that of now. */
export async function pinnedReleases(db: Db, facts: GuideFacts): Promise<PinnedRelease[]> {
  const pinned: PinnedRelease[] = [];
  for (const { guideid, releaseid } of facts.prerequisite_releases ?? []) {
    const chosen = releaseid ?? (await lastRelease(db, guideid));
    if (chosen !== null) pinned.push({ guideid, releaseid: chosen });
  }
  return pinned.toSorted((a, b) => a.guideid - b.guideid);
}

async function lastRelease(db: Db, guideid: number): Promise<number | null> {
  const row = await db
    .selectFrom('guide_releases')
    .select('releaseid')
    .where('guideid', '=', guideid)
    .where('status', '=', 'released')
    .orderBy('releaseid', 'desc')
    .executeTakeFirst();
  return row?.releaseid ?? null;
}

/**
 * What people sign: the SHA-256, in hex, of the canonical JSON of `{guide, prerequisites}`. `guide` is the row of
 * `guide_revisions` that `guide_revisionid` names, as facts; `prerequisites` are `{guideid, releaseid, guide}` of each
 * release. Null when one of these versions is not there.
 */
export async function revisionHash(
  db: Db,
  version: { guideid: number; guide_revisionid: number },
  pinned: readonly PinnedRelease[],
): Promise<string | null> {
  const guide = await factsOfVersion(db, version);
  if (guide === null) return null;
  const prerequisites = [];
  for (const { guideid, releaseid } of pinned) {
    const release = await db
      .selectFrom('guide_releases')
      .select(['guideid', 'guide_revisionid'])
      .where('guideid', '=', guideid)
      .where('releaseid', '=', releaseid)
      .executeTakeFirst();
    const released = release === undefined ? null : await factsOfVersion(db, release);
    if (released === null) return null;
    prerequisites.push({ guideid, releaseid, guide: released });
  }
  return createHash('sha256').update(canonicalJson({ guide, prerequisites }), 'utf8').digest('hex');
}

/** A stored version of a guide; null when it is not there. */
export async function factsOfVersion(
  db: Db,
  { guideid, guide_revisionid }: { guideid: number; guide_revisionid: number },
): Promise<GuideFacts | null> {
  const row = await db
    .selectFrom('guide_revisions')
    .select('body')
    .where('guideid', '=', guideid)
    .where('guide_revisionid', '=', guide_revisionid)
    .executeTakeFirst();
  return row === undefined ? null : (JSON.parse(row.body) as GuideFacts);
}
