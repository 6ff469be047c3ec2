import type { GuideEdit } from '#shared/api/guides.ts';
import { invalid, notFound } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { Context } from '#server/core/context.ts';
import { can } from '#server/features/can.ts';
import { findAllStored } from '#server/storage/feed.ts';

import { withApproval } from '../approvals/facts.ts';

/** The releases to which a guide pins its prerequisites. */
type Pins = NonNullable<GuideFacts['prerequisite_releases']>;

/**
 * The guide as of a release, or of its latest release if `releaseid` is null; undefined if there is no such release.
 */
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

/** The pins of a guide that apply: none on a site with releases disabled, even if the guide has stored pins. */
export function pinsInForce(ctx: Context, facts: GuideFacts): Pins {
  return ctx.services.site.releases ? (facts.prerequisite_releases ?? []) : [];
}

/** The prerequisites that the viewer may see, each in its current or its pinned version. */
export async function visiblePrerequisites(ctx: Context, facts: GuideFacts): Promise<GuideFacts[]> {
  const present = (await findAllStored(ctx, 'guides', facts.prerequisites)).filter((one) =>
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
 * The prerequisites of a guide after an edit: pinned guides are added even if `prerequisites` does not name them.
 * Missing guides, and those that the editor may not see, are left to `pinsAfter` to refuse. Undefined if the
 * prerequisites stay.
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
  const seen = (await findAllStored(ctx, 'guides', added)).filter((one) => can(ctx.viewer, 'guide.see', one));
  return seen.length === 0 ? named : [...known, ...seen.map(({ guideid }) => guideid)];
}

/**
 * The pins of a guide with these `prerequisites` after an edit (spec, "POST /guides body"). A `releaseid` of null means
 * always the latest release; a prerequisite without a pin is shown in its current version. Pins of prerequisites that
 * the editor may not see stay. Throws 422 for pins that are invalid.
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
    (await findAllStored(ctx, 'guides', pinned))
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

/** Selects a version of a guide: by its `guide_revisionid`, by `revisionid` (the newest with it), or both. */
interface VersionName {
  revisionid?: number | undefined;
  guide_revisionid?: number | undefined;
}

/**
 * An earlier version of a guide. Throws 404 if it does not exist, or if the guide was private then and the viewer could
 * not have seen it.
 *
 * - GUIDE-REVISION-8 An earlier version can be read by its revision.
 * - GUIDE-REVISION-11 Its text can be read with the identities of its steps and lines, but without its prerequisites.
 */
export async function readRevision(ctx: Context, guideid: number, version: VersionName): Promise<GuideFacts> {
  const facts = await findRevision(ctx, guideid, version);
  if (facts === undefined || !can(ctx.viewer, 'guide.see', facts)) throw notFound('Revision');
  return facts;
}

/** An earlier version of a guide, whether or not the viewer may see it. */
export async function findRevision(
  ctx: Context,
  guideid: number,
  { revisionid, guide_revisionid }: VersionName,
): Promise<GuideFacts | undefined> {
  let select = ctx.db.selectFrom('guide_revisions').select('body').where('guideid', '=', guideid);
  if (revisionid !== undefined) select = select.where('revisionid', '=', revisionid);
  if (guide_revisionid !== undefined) select = select.where('guide_revisionid', '=', guide_revisionid);
  const row = await select.orderBy('guide_revisionid', 'desc').limit(1).executeTakeFirst();
  return row === undefined ? undefined : withApproval(ctx.db, JSON.parse(row.body) as GuideFacts, false);
}
