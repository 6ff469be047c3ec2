import type { GuideFacts } from '#shared/model/guide.ts';
import { isReservedTag } from '#shared/model/tag.ts';
import type { Guide, GuideSummary, Step } from '#shared/model/guide-record.ts';
import { authorRecord } from '#shared/rules/people.ts';
import {
  guideRecord,
  guideSummaryRecord,
  stepRecord,
  type GuideSurroundings,
} from '#shared/rules/guide-record.ts';
import { notFound } from '#shared/api/problem.ts';
import { must } from '#shared/must.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import { findAllStored } from '#server/storage/feed.ts';
import { prepared, preparedList } from '#server/storage/prepared.ts';

import { commentsOnGuide } from '../comments/store.ts';
import { tagNames } from '../tags/store.ts';
import { findPeople, readPerson } from '../users/store.ts';
import { flagRecordOf } from './flags.ts';
import { pinsInForce, visiblePrerequisites } from './released.ts';
import { wikiContextOf } from './wiki-context.ts';

interface RecordOptions {
  /** Without the steps of prerequisites: for the answer to an edit and the body of a 409. */
  ownStepsOnly?: boolean;
  stepCommentCounts?: boolean;
  withoutComments?: boolean;
}

/**
 * The full guide as this viewer may see it.
 *
 * - GUIDE-LIMIT-10 A step without a picture has no picture address.
 */
export async function fullGuide(
  ctx: Context,
  facts: GuideFacts,
  options: RecordOptions = {},
): Promise<Guide> {
  const shown = { ...facts, prerequisite_releases: pinsInForce(ctx, facts) };
  return guideRecord(shown, await surroundingsOf(ctx, facts, options));
}

/** A step of a guide as a record: the answer to a step edit. */
export async function fullStep(ctx: Context, facts: GuideFacts, stepid: number): Promise<Step> {
  const index = facts.steps.findIndex((step) => step.stepid === stepid);
  const step = facts.steps[index];
  if (step === undefined) throw notFound('Step');
  const comments = await commentsOnGuide(ctx, facts.guideid);
  return stepRecord(facts.guideid, step, index, {
    baseUrl: ctx.baseUrl,
    wiki: await wikiContextOf(ctx, [facts]),
    comments,
    stepCommentCounts: false,
  });
}

async function surroundingsOf(
  ctx: Context,
  facts: GuideFacts,
  options: RecordOptions,
): Promise<GuideSurroundings> {
  const prerequisites = await visiblePrerequisites(ctx, facts);
  const summaries = await guideSummaries(ctx, prerequisites);
  const { site } = ctx.services;
  const [author, wiki, comments, numberOfDependentGuides, favorited, completed] = await Promise.all([
    readPerson(ctx.db, facts.userid),
    wikiContextOf(ctx, [facts, ...prerequisites]),
    options.withoutComments === true
      ? { guide: [], byStep: new Map() }
      : commentsAround(ctx, facts, options.ownStepsOnly === true ? [] : prerequisites),
    countDependents(ctx, facts.guideid),
    isMarked(ctx, 'favorites', facts.guideid),
    isMarked(ctx, 'completions', facts.guideid),
  ]);
  return {
    baseUrl: ctx.baseUrl,
    author: authorRecord(author, ctx.baseUrl),
    wiki,
    prerequisites: prerequisites.map((one, index) => ({
      facts: one,
      summary: must(summaries[index], 'a summary'),
    })),
    inlinePrerequisiteSteps: options.ownStepsOnly !== true,
    comments,
    stepCommentCounts: options.stepCommentCounts === true,
    numberOfDependentGuides,
    flagRecords: site.compatibility ? (flagid) => flagRecordOf(flagid, ctx.baseUrl) : null,
    viewer: {
      favorited,
      completed,
      canEdit: can(ctx.viewer, 'guide.edit', facts),
      canShare: can(ctx.viewer, 'guide.share', facts),
      canDelete: can(ctx.viewer, 'guide.delete', facts),
    },
  };
}

/** Comments on the guide, its steps, and the steps of the prerequisites that it shows. */
async function commentsAround(
  ctx: Context,
  facts: GuideFacts,
  prerequisites: GuideFacts[],
): Promise<GuideSurroundings['comments']> {
  const own = await commentsOnGuide(ctx, facts.guideid);
  const byStep = new Map(own.byStep);
  for (const one of prerequisites) {
    const theirs = await commentsOnGuide(ctx, one.guideid);
    for (const [stepid, comments] of theirs.byStep) byStep.set(stepid, comments);
  }
  return { guide: own.guide, byStep };
}

async function isMarked(ctx: Context, table: 'favorites' | 'completions', guideid: number): Promise<boolean> {
  if (ctx.viewer.userid === 0) return false;
  const rows = await markOf[table](ctx.db, { userid: ctx.viewer.userid, guideid });
  return rows.length > 0;
}

function findMark(table: 'favorites' | 'completions') {
  return prepared<{ userid: number; guideid: number }, { guideid: number }>((db, value) =>
    db
      .selectFrom(table)
      .select('guideid')
      .where('userid', '=', value('userid'))
      .where('guideid', '=', value('guideid')),
  );
}

const markOf = { favorites: findMark('favorites'), completions: findMark('completions') };

const dependentsOf = prepared<{ guideid: number }, { guideid: number }>((db, value) =>
  db.selectFrom('guide_prerequisites').select('guideid').where('prerequisiteid', '=', value('guideid')),
);

async function countDependents(ctx: Context, guideid: number): Promise<number> {
  const rows = await dependentsOf(ctx.db, { guideid });
  const dependents = await findAllStored(
    ctx,
    'guides',
    rows.map((row) => row.guideid),
  );
  return dependents.filter((one) => can(ctx.viewer, 'guide.see', one)).length;
}

/** Summaries of guides that the viewer may see, in the given order. */
export async function guideSummaries(ctx: Context, guides: GuideFacts[]): Promise<GuideSummary[]> {
  const people = await findPeople(
    ctx.db,
    guides.map((facts) => facts.userid),
  );
  const prerequisites = new Map(
    (await findAllStored(ctx, 'guides', [...new Set(guides.flatMap((facts) => facts.prerequisites))]))
      .filter((one) => can(ctx.viewer, 'guide.see', one))
      .map((one) => [one.guideid, one.modified_date]),
  );
  const tags = await tagsOf(
    ctx,
    guides.map((facts) => facts.guideid),
  );
  return guides.map((facts) =>
    guideSummaryRecord(facts, {
      baseUrl: ctx.baseUrl,
      username: people.get(facts.userid)?.username ?? '',
      prereqModifiedDate: Math.max(
        0,
        ...facts.prerequisites.map((guideid) => prerequisites.get(guideid) ?? 0),
      ),
      tags: tags.get(facts.guideid) ?? [],
    }),
  );
}

/** Tags of guides, without reserved ones, by guideid. */
export async function tagsOf(ctx: Context, guideids: number[]): Promise<Map<number, string[]>> {
  const rows = await tagsOfGuides(ctx.db, guideids, {});
  const names = new Map(
    (await tagNames(ctx.db, [...new Set(rows.map((row) => row.tagid))], {}))
      .filter(({ name }) => !isReservedTag(name))
      .map(({ tagid, name }) => [tagid, name]),
  );
  return new Map(
    [...Map.groupBy(rows, (row) => row.guideid)].map(([guideid, list]) => [
      guideid,
      list.flatMap((row) => names.get(row.tagid) ?? []).toSorted((a, b) => (a < b ? -1 : 1)),
    ]),
  );
}

const tagsOfGuides = preparedList<Record<never, never>, number, { guideid: number; tagid: number }>(
  (db, guideids) => db.selectFrom('guide_tags').select(['guideid', 'tagid']).where('guideid', 'in', guideids),
);
