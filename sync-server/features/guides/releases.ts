import { conflict, forbidden, invalid, notFound } from '#shared/api/problem.ts';
import { type NewRelease, releases } from '#shared/api/releases.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { GuideRevision, Release } from '#shared/model/release.ts';
import { must } from '#shared/must.ts';
import { versionText } from '#shared/rules/work-revision.ts';
import { userSummaryRecord } from '#shared/rules/people.ts';
import { can } from '#server/features/can.ts';
import { editors } from '#server/core/roles.ts';
import { type Context, type Remembered, mustUserid } from '#server/core/context.ts';
import { handle } from '#server/http/handle.ts';
import { visibleAudiences } from '#server/storage/feed.ts';
import { readPage } from '#server/storage/read-page.ts';
import type { Tables } from '#server/storage/tables.ts';
import { sql, type Selectable } from 'kysely';

import { findPeople } from '../users/store.ts';
import { requestDates } from '../approvals/facts.ts';
import { askForApproval, isUnderProcess } from '../approvals/gate.ts';
import { formsOf } from '../approvals/signed-forms.ts';
import { followNewRelease } from './audience.ts';
import { countOf } from './counted.ts';
import { mustSeeGuide } from './policy.ts';
import { fullGuide } from './record.ts';
import { findReleased, readRevision } from './released.ts';

type Row = Selectable<Tables['guide_releases']>;

interface Page {
  order: 'ASC' | 'DESC';
  limit: number;
  offset: number;
}

function mustBeEnabled(ctx: Context): void {
  if (!ctx.services.site.releases)
    throw notFound('Endpoint', 'Releases are not enabled on this site; endpoint');
}

async function records(ctx: Context, rows: Row[]): Promise<Release[]> {
  const people = await findPeople(
    ctx.db,
    rows.map((row) => row.userid),
  );
  const asked = await requestDates(
    ctx.db,
    rows.map((row) => row.releaseid),
  );
  return rows.map(({ userid, forms: _forms, ...row }) => {
    const person = people.get(userid);
    return {
      ...row,
      type: row.type === 'minor' ? 'minor' : 'major',
      user: person === undefined ? null : userSummaryRecord(person, ctx.baseUrl),
      release_date: row.status === 'pending' ? null : row.release_date,
      init_date: asked.get(row.releaseid) ?? row.release_date,
    };
  });
}

/** Releases of the guides that the viewer may see. */
async function listReleases(ctx: Context, page: Page, guideid?: number): Promise<Release[]> {
  const audiences = [0, ...(await visibleAudiences(ctx.db, ctx.viewer.principals))];
  let select = ctx.db
    .selectFrom('guide_releases')
    .innerJoin('documents', (join) =>
      join
        .onRef('documents.id', '=', sql`CAST(guide_releases.guideid AS TEXT)`)
        .on('collection', '=', 'guides'),
    )
    .selectAll('guide_releases')
    .where('audience', 'in', audiences)
    .where('status', '=', 'released')
    .orderBy('releaseid', page.order === 'ASC' ? 'asc' : 'desc');
  if (guideid !== undefined) select = select.where('guide_releases.guideid', '=', guideid);
  return records(ctx, await readPage(ctx, select, page));
}

async function createRelease(
  ctx: Context,
  guide: GuideFacts,
  { title, notes, type }: NewRelease,
): Promise<Remembered<Release>> {
  const before = await ctx.db
    .selectFrom('guide_releases')
    .selectAll()
    .where('guideid', '=', guide.guideid)
    .orderBy('releaseid')
    .execute();
  const same = before.find((one) => one.guide_revisionid === guide.guide_revisionid);
  if (same?.status === 'pending')
    throw invalid('guideid', 'This version of the guide waits for its approval to be released');
  if (same !== undefined) throw invalid('guideid', 'This version of the guide is released already');
  const isHeld = await isUnderProcess(ctx, guide.guideid);
  const { releaseid } = await ctx.db
    .insertInto('guide_releases')
    .values({
      guideid: guide.guideid,
      guide_revisionid: guide.guide_revisionid,
      revisionid: guide.revisionid,
      langid: guide.langid,
      userid: mustUserid(ctx),
      title: title ?? nextTitle(before, type),
      type,
      notes,
      release_date: ctx.seconds,
      status: isHeld ? 'pending' : 'released',
      forms: JSON.stringify(await formsOf(ctx.db, guide)),
    })
    .returning('releaseid')
    .executeTakeFirstOrThrow();
  if (isHeld) await askForApproval(ctx, guide, 'release', releaseid);
  else await followNewRelease(ctx, guide.guideid, releaseid);
  return ctx.respondWithRecord('release', releaseid, representRelease(ctx, releaseid));
}

/** A release; throws 404 if its guide may not be seen. */
export async function representRelease(ctx: Context, releaseid: number): Promise<Release> {
  const row = await ctx.db
    .selectFrom('guide_releases')
    .selectAll()
    .where('releaseid', '=', releaseid)
    .executeTakeFirst();
  if (row === undefined) throw notFound('Release');
  await mustSeeGuide(ctx, row.guideid);
  return must((await records(ctx, [row]))[0], 'the record of the release');
}

/** `v2.0` after one major release, `v2.1` after a minor one on top of it. */
function nextTitle(before: Row[], type: Release['type']): string {
  const majors = before.filter((one) => one.type === 'major').length + (type === 'major' ? 1 : 0);
  const lastMajor = before.findLastIndex((one) => one.type === 'major');
  const minors = type === 'major' ? 0 : before.length - 1 - lastMajor + 1;
  return `v${majors}.${minors}`;
}

/** A page of versions, newest first, without versions from a time when the viewer could not see the guide. */
async function listRevisions(
  ctx: Context,
  guideid: number,
  page: { limit: number; offset: number },
): Promise<GuideRevision[]> {
  const select = ctx.db
    .selectFrom('guide_revisions')
    .select(['guide_revisionid', 'revisionid', 'userid', 'date', 'body'])
    .where('guideid', '=', guideid)
    .orderBy('guide_revisionid', 'desc');
  const rows = await readPage(ctx, select, page);
  const people = await findPeople(
    ctx.db,
    rows.map((row) => row.userid),
  );
  const versions: GuideRevision[] = [];
  for (const { userid, body, ...row } of rows) {
    const facts = JSON.parse(body) as GuideFacts;
    if (!can(ctx.viewer, 'guide.see', facts)) continue;
    const person = people.get(userid);
    const user = person === undefined ? null : userSummaryRecord(person, ctx.baseUrl);
    const { number: revision_number } = await countOf(ctx.db, { ...facts, ...row });
    versions.push({ ...row, revision_number, title: facts.title, user });
  }
  return versions;
}

interface OfGuide {
  params: { guideid: number };
}

async function maySee({ params }: OfGuide, ctx: Context): Promise<void> {
  mustBeEnabled(ctx);
  await mustSeeGuide(ctx, params.guideid);
}

export const releaseHandlers = handle(
  releases,
  {
    revisions: {
      allow: async ({ params }, ctx) => void (await mustSeeGuide(ctx, params.guideid)),
      run: ({ params, query }, ctx) => listRevisions(ctx, params.guideid, query),
    },
    revision: {
      allow: async ({ params }, ctx) => void (await mustSeeGuide(ctx, params.guideid)),
      // Without prerequisites: it is unknown whether the viewer may see those.
      run: async ({ params: { guideid, guide_revisionid } }, ctx) =>
        versionText(await readRevision(ctx, guideid, { guide_revisionid })),
    },
    list: async ({ query }, ctx) => ({
      releases: ctx.services.site.releases ? await listReleases(ctx, query) : [],
    }),
    ofGuide: {
      allow: maySee,
      run: async ({ params, query }, ctx) => ({ releases: await listReleases(ctx, query, params.guideid) }),
    },
    read: {
      allow: maySee,
      run: async ({ params }, ctx) => {
        const facts = await findReleased(ctx, params.guideid, params.releaseid);
        if (facts === undefined) throw notFound('Release');
        return fullGuide(ctx, facts);
      },
    },
    create: {
      allow: async ({ params }, ctx) => {
        await maySee({ params }, ctx);
        const facts = await mustSeeGuide(ctx, params.guideid);
        if (!can(ctx.viewer, 'guide.release', facts))
          throw forbidden('Only authors of the site release guides', editors);
      },
      run: async ({ params, revisionid, body }, ctx) => {
        const facts = await mustSeeGuide(ctx, params.guideid);
        if (revisionid !== facts.revisionid)
          throw conflict(await fullGuide(ctx, facts, { ownStepsOnly: true }));
        return createRelease(ctx, facts, body);
      },
    },
  },
  {
    release: (ctx, id) => representRelease(ctx, Number(id)),
  },
);
