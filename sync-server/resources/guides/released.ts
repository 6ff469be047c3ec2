import type { GuideEdit } from '#shared/api/guides.ts';
import { invalid } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { Context } from '#server/http/context.ts';
import { can } from '#server/access/can.ts';
import { findDocuments } from '#server/storage/feed.ts';

/** Prerequisites by guideid that are shown as they were released. */
type Pins = NonNullable<GuideFacts['prerequisite_releases']>;

/** The guide as it stood when it was released; undefined when there is no such release. */
export async function findReleased(
  ctx: Context,
  guideid: number,
  releaseid: number,
): Promise<GuideFacts | undefined> {
  const row = await ctx.db
    .selectFrom('guide_releases')
    .innerJoin('guide_revisions', (join) =>
      join
        .onRef('guide_revisions.guideid', '=', 'guide_releases.guideid')
        .onRef('guide_revisions.guide_revisionid', '=', 'guide_releases.guide_revisionid'),
    )
    .select('body')
    .where('guide_releases.guideid', '=', guideid)
    .where('releaseid', '=', releaseid)
    .executeTakeFirst();
  return row === undefined ? undefined : (JSON.parse(row.body) as GuideFacts);
}

/** The prerequisites that the viewer may see, each as it is now or, where the guide says so, as it was released. */
export async function visiblePrerequisites(ctx: Context, facts: GuideFacts): Promise<GuideFacts[]> {
  const present = (await findDocuments(ctx.db, 'guides', facts.prerequisites)).filter((one) =>
    can(ctx.viewer, 'guide.see', one),
  );
  const pins = new Map((facts.prerequisite_releases ?? []).map((pin) => [pin.guideid, pin.releaseid]));
  return Promise.all(
    present.map(async (one) => {
      const releaseid = pins.get(one.guideid);
      return (releaseid === undefined ? undefined : await findReleased(ctx, one.guideid, releaseid)) ?? one;
    }),
  );
}

/**
 * Which releases a guide with these `prerequisites` pins after an edit (spec, "POST /guides body"): null, or a
 * prerequisite that is not named, means always the most recent version. 422 names what does not fit.
 */
export async function pinsAfter(
  ctx: Context,
  before: Pins,
  edit: GuideEdit['prerequisite_releases'],
  prerequisites: readonly unknown[],
): Promise<Pins> {
  if (edit === undefined) return before.filter((pin) => prerequisites.includes(pin.guideid));
  if (!ctx.services.site.releases)
    throw invalid('prerequisite_releases', 'Releases are not enabled on this site');
  for (const { guideid, releaseid } of edit) {
    if (!prerequisites.includes(guideid))
      throw invalid('prerequisite_releases', `Guide ${guideid} is no prerequisite of this guide`);
    if (releaseid !== null && (await findReleased(ctx, guideid, releaseid)) === undefined)
      throw invalid('prerequisite_releases', `Guide ${guideid} has no release ${releaseid}`);
  }
  return edit.flatMap(({ guideid, releaseid }) => (releaseid === null ? [] : [{ guideid, releaseid }]));
}
