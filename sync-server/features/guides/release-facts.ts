import type { GuideFacts } from '#shared/model/guide.ts';
import { highestForm, workedRevisionOf } from '#shared/rules/work-revision.ts';
import { guideAudience } from '#server/features/audiences.ts';
import { contextForJob } from '#server/core/job.ts';
import type { Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';
import { findDocument, findPresent } from '#server/storage/feed.ts';

import { withApproval } from '../approvals/facts.ts';
import { factsOfVersion } from '../approvals/revision-hash.ts';
import { formsOf, signedFormsOf } from '../approvals/signed-forms.ts';
import { followRelease } from '../planned-orders/release-texts.ts';
import { countOf } from './counted.ts';

/** How many releases one transaction publishes at the start. */
const mostAtOnce = 100;

/** Tells everyone who sees the guide of a release about the release, so that they can plan orders by it. */
export async function publishRelease(ctx: Context, releaseid: number): Promise<void> {
  const row = await ctx.db
    .selectFrom('guide_releases')
    .selectAll()
    .where('releaseid', '=', releaseid)
    .executeTakeFirstOrThrow();
  const { guideid, title, release_date: date } = row;
  const guide = await findDocument(ctx.db, 'guides', guideid);
  const version = await factsOfVersion(ctx.db, row);
  if (guide === undefined || version === null) return;
  const facts = await withApproval(ctx.db, version, false);
  // Releases from before forms were stored with them are shown with the present forms.
  const forms = highestForm(version, signedFormsOf(row) ?? (await formsOf(ctx.db, version)));
  const counted = { ...facts, revision: await countOf(ctx.db, version) };
  const revision = workedRevisionOf(counted, forms, date * 1000);
  ctx.changes.put('releases', releaseid, { releaseid, guideid, title, date, revision }, guideAudience(guide));
}

/** Gives the releases of a guide its present audience. `guide` is null if it was deleted. */
export async function republishReleases(
  ctx: Context,
  guideid: number,
  guide: GuideFacts | null,
): Promise<void> {
  const rows = await ctx.db
    .selectFrom('guide_releases')
    .select('releaseid')
    .where('guideid', '=', guideid)
    .where('status', '=', 'released')
    .execute();
  const ids = rows.map(({ releaseid }) => releaseid);
  for (const facts of await findPresent(ctx, 'releases', ids)) {
    if (guide === null) ctx.changes.remove('releases', facts.releaseid);
    else ctx.changes.put('releases', facts.releaseid, facts, guideAudience(guide));
    await followRelease(ctx, facts, guide);
  }
}

/** Publishes the releases that an older version of the server stored. */
export async function publishStoredReleases(services: Services): Promise<void> {
  const rows = await services.storage.reader
    .selectFrom('guide_releases')
    .innerJoin('documents as guide', (join) =>
      join
        .on('guide.collection', '=', 'guides')
        .on((eb) => eb('guide.id', '=', eb.cast<string>('guide_releases.guideid', 'text'))),
    )
    .leftJoin('documents as known', (join) =>
      join
        .on('known.collection', '=', 'releases')
        .on((eb) => eb('known.id', '=', eb.cast<string>('guide_releases.releaseid', 'text'))),
    )
    .select('releaseid')
    .where('status', '=', 'released')
    .where('known.id', 'is', null)
    .orderBy('releaseid')
    .execute();
  for (let from = 0; from < rows.length; from += mostAtOnce)
    await contextForJob(services, null, async (ctx) => {
      for (const { releaseid } of rows.slice(from, from + mostAtOnce)) await publishRelease(ctx, releaseid);
    });
}
