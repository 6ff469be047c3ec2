import { invalid } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { PlannedOrderFacts } from '#shared/model/planned-orders.ts';
import type { NamedRelease, ReleaseFacts } from '#shared/model/release-facts.ts';
import { versionText } from '#shared/rules/work-revision.ts';
import type { Context } from '#server/core/context.ts';
import { findPresent, type Principal } from '#server/storage/feed.ts';
import type { Db } from '#server/storage/tables.ts';

import { factsOfVersion } from '../approvals/revision-hash.ts';
import { countOf } from '../guides/counted.ts';
import { formsAt, versionAudience } from '../work-log/versions.ts';

/** The release of a guide that a body names. Throws 422 unless the guide has it, and the site uses releases. */
export async function readRelease(ctx: Context, guideid: number, releaseid: number): Promise<NamedRelease> {
  if (!ctx.services.site.releases) throw invalid('releaseid', 'Releases are not enabled on this site');
  const release = await findRelease(ctx, releaseid);
  if (release?.guideid !== guideid) throw invalid('releaseid', 'The guide has no such release');
  return { releaseid, title: release.title };
}

/** A release, if its guide is still there. */
export async function findRelease(ctx: Context, releaseid: number): Promise<ReleaseFacts | undefined> {
  const [release] = await findPresent(ctx, 'releases', [releaseid]);
  return release;
}

/** For whom an order needs the text of a release; null: it needs none. */
interface Need {
  releaseid: number;
  userid: number | null;
  teamid: number | null;
}

function needOf({ release, userid, teamid, status }: PlannedOrderFacts): Need | null {
  const isGoing = status === 'open' || status === 'started';
  return release === undefined || !isGoing ? null : { releaseid: release.releaseid, userid, teamid };
}

/**
 * Publishes the texts of releases that planned orders name, after an order was stored. `before`: as it was; undefined: it
 * is new.
 *
 * - PLANNED-10 A planned order may name a release of its guide. Those who are to do it get its text, forms and pictures, if
 *   they may see the guide now and could see that version then. So they can work by it offline, also when the guide has moved
 *   on. The text leaves when no order that is to be done names the release.
 */
export async function followOrder(
  ctx: Context,
  before: PlannedOrderFacts | undefined,
  after: PlannedOrderFacts,
): Promise<void> {
  const [had, has] = [before === undefined ? null : needOf(before), needOf(after)];
  if (JSON.stringify(had) === JSON.stringify(has)) return;
  const changed: number[] = [];
  for (const need of [had, has])
    if (need !== null && !(await isNeededElsewhere(ctx.db, after.planned_orderid, need)))
      changed.push(need.releaseid);
  for (const releaseid of new Set(changed)) {
    const release = await findRelease(ctx, releaseid);
    const [guide = null] = release === undefined ? [] : await findPresent(ctx, 'guides', [release.guideid]);
    if (release !== undefined) await followRelease(ctx, release, guide);
  }
}

/** Whether another order needs the same text for the same person or team, so that nothing changes for anybody. */
async function isNeededElsewhere(
  db: Db,
  planned_orderid: number,
  { releaseid, userid, teamid }: Need,
): Promise<boolean> {
  const row = await db
    .selectFrom('planned_orders')
    .select('planned_orderid')
    .where('releaseid', '=', releaseid)
    .where('userid', 'is not distinct from', userid)
    .where('teamid', 'is not distinct from', teamid)
    .where('status', 'in', ['open', 'started'])
    .where('planned_orderid', '!=', planned_orderid)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Gives the text of a release to those who are to work by it, and removes it if there is nobody. `guide`: the present
 * guide; null if it was deleted.
 */
export async function followRelease(
  ctx: Context,
  { releaseid, guideid, revision }: ReleaseFacts,
  guide: GuideFacts | null,
): Promise<void> {
  const [known] = await findPresent(ctx, 'releaseTexts', [releaseid]);
  const readers = guide === null ? [] : await assignees(ctx.db, releaseid);
  const { guide_revisionid, form_revisionid } = revision;
  const then = readers.length === 0 ? null : await factsOfVersion(ctx.db, { guideid, guide_revisionid });
  if (guide !== null && then !== null) {
    const text = { ...versionText(then), revision: await countOf(ctx.db, then) };
    const forms = await formsAt(ctx.db, then, form_revisionid);
    const audience = versionAudience(readers, then, guide);
    ctx.changes.putIfNew('releaseTexts', releaseid, { releaseid, guide: text, forms }, audience);
  } else if (known !== undefined) ctx.changes.remove('releaseTexts', releaseid);
}

/** Those who are to do the orders that name a release. */
async function assignees(db: Db, releaseid: number): Promise<Principal[]> {
  const rows = await db
    .selectFrom('planned_orders')
    .select(['userid', 'teamid'])
    .distinct()
    .where('releaseid', '=', releaseid)
    .where('status', 'in', ['open', 'started'])
    .execute();
  return rows.map(({ userid, teamid }): Principal =>
    userid === null ? `team:${teamid ?? 0}` : `user:${userid}`,
  );
}
