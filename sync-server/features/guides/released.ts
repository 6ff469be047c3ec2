import type { GuideEdit } from '#shared/api/guides.ts';
import { invalid } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { Context } from '#server/core/context.ts';
import { can } from '#server/features/can.ts';
import { findDocuments } from '#server/storage/feed.ts';

import { withApproval } from '../approvals/facts.ts';

/** Prerequisites by guideid that are shown as they were released. */
type Pins = NonNullable<GuideFacts['prerequisite_releases']>;

/** The guide as it stood when it was released, null: when it was last; undefined when there is no such release. */
export async function findReleased(
  ctx: Context,
  guideid: number,
  releaseid: number | null,
): Promise<GuideFacts | undefined> {
  let select = ctx.db
    .selectFrom('guide_releases')
    .innerJoin('guide_revisions', (join) =>
      join
        .onRef('guide_revisions.guideid', '=', 'guide_releases.guideid')
        .onRef('guide_revisions.guide_revisionid', '=', 'guide_releases.guide_revisionid'),
    )
    .select('body')
    .where('guide_releases.guideid', '=', guideid)
    .where('status', '=', 'released')
    .orderBy('releaseid', 'desc')
    .limit(1);
  if (releaseid !== null) select = select.where('releaseid', '=', releaseid);
  const row = await select.executeTakeFirst();
  return row === undefined ? undefined : withApproval(ctx.db, JSON.parse(row.body) as GuideFacts, false);
}

/** The releases that a guide shows its prerequisites in: on a site without releases none, though it may pin some. */
export function pinsInForce(ctx: Context, facts: GuideFacts): Pins {
  return ctx.services.site.releases ? (facts.prerequisite_releases ?? []) : [];
}

/** The prerequisites that the viewer may see, each as it is now or, where the guide says so, as it was released. */
export async function visiblePrerequisites(ctx: Context, facts: GuideFacts): Promise<GuideFacts[]> {
  const present = (await findDocuments(ctx.db, 'guides', facts.prerequisites)).filter((one) =>
    can(ctx.viewer, 'guide.see', one),
  );
  const pins = new Map(pinsInForce(ctx, facts).map((pin) => [pin.guideid, pin.releaseid]));
  return Promise.all(
    present.map(async (one) => {
      const releaseid = pins.get(one.guideid);
      return (releaseid === undefined ? undefined : await findReleased(ctx, one.guideid, releaseid)) ?? one;
    }),
  );
}

/**
 * The prerequisites of a guide after an edit: what is pinned to a release is required too, whether or not `prerequisites`
 * names it. What the editor may not see, or what is not there, is for `pinsAfter` to refuse. undefined: they stay.
 */
export async function withPinned(
  ctx: Context,
  before: readonly number[],
  named: number[] | undefined,
  pins: GuideEdit['prerequisite_releases'],
): Promise<number[] | undefined> {
  if (pins === undefined || !ctx.services.site.releases) return named;
  const known = new Set(named ?? before);
  const added = pins.map(({ guideid }) => guideid).filter((guideid) => !known.has(guideid));
  if (added.length === 0) return named;
  const seen = (await findDocuments(ctx.db, 'guides', added)).filter((one) =>
    can(ctx.viewer, 'guide.see', one),
  );
  return seen.length === 0 ? named : [...known, ...seen.map(({ guideid }) => guideid)];
}

/**
 * Which releases a guide with these `prerequisites` pins after an edit (spec, "POST /guides body"): `releaseid` null
 * means always the most recent release; a prerequisite that is not named is shown as it is. What pins a prerequisite
 * that the editor may not see stays. 422 names what does not fit.
 */
export async function pinsAfter(
  ctx: Context,
  before: Pins,
  edit: GuideEdit['prerequisite_releases'],
  prerequisites: readonly unknown[],
): Promise<Pins> {
  const kept = before.filter((pin) => prerequisites.includes(pin.guideid));
  if (edit === undefined) return kept;
  if (!ctx.services.site.releases)
    throw invalid('prerequisite_releases', 'Releases are not enabled on this site');
  const pinned = [...kept, ...edit].map(({ guideid }) => guideid);
  const visible = new Set(
    (await findDocuments(ctx.db, 'guides', pinned))
      .filter((one) => can(ctx.viewer, 'guide.see', one))
      .map(({ guideid }) => guideid),
  );
  for (const { guideid, releaseid } of edit) {
    if (!prerequisites.includes(guideid) || !visible.has(guideid))
      throw invalid('prerequisite_releases', `Guide ${guideid} is no prerequisite of this guide`);
    if (releaseid !== null && (await findReleased(ctx, guideid, releaseid)) === undefined)
      throw invalid('prerequisite_releases', `Guide ${guideid} has no release ${releaseid}`);
  }
  const unseen = kept.filter((pin) => !visible.has(pin.guideid));
  return [...new Map([...unseen, ...edit].map((pin) => [pin.guideid, pin])).values()];
}
