import type { CourseProgress, OwnCourse, StageDoctype } from '#shared/model/course.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import type { Db } from '#server/storage/tables.ts';
import { announceEvent } from '#server/features/webhooks/announce.ts';

import { assignedCourses, coursesOfRows, progressOf } from './course-rows.ts';
import { publishProgress } from './publish.ts';

/** A document that a person completed. `score`: percent; null if it has no score. */
export interface DoneDocument {
  userid: number;
  doctype: StageDoctype;
  docid: number;
  score: number | null;
  /** The passing score where the stage has none; if absent, no score is required. */
  passing_score?: number;
}

/**
 * Called whenever a person completes a document: completes its stages and courses.
 *
 * - COURSE-4 A stage is completed when its document is completed while the course is assigned, with the passing score
 *   of the stage, or else of the quiz itself, if there is one. Completing a guide again counts. A course is complete
 *   with its last stage. What is complete stays complete; a better score is stored.
 * - COURSE-5 Webhooks receive `course.assigned`, `course.stage_completed` and `course.completed`, each once.
 */
export async function completeDocument(ctx: Context, done: DoneDocument): Promise<void> {
  const { userid, doctype, docid, score, passing_score: own = null } = done;
  const stages = await ctx.db
    .selectFrom('course_stages')
    .selectAll()
    .where('doctype', '=', doctype)
    .where('docid', '=', docid)
    .where('courseid', 'in', assignedCourses(ctx.db, userid).select('courseid'))
    .execute();
  for (const { course_stageid, courseid, passing_score } of stages) {
    const needed = passing_score ?? own;
    if (needed !== null && (score ?? 0) < needed) continue;
    const id = await addStageCompletion(ctx, course_stageid, userid, score);
    if (id === undefined) {
      await publishProgress(ctx, courseid, userid);
      continue;
    }
    const course_assignment_stage_completionid = id;
    const date = ctx.seconds;
    const data = {
      course_assignment_stage_completionid,
      course_stageid,
      courseid,
      userid,
      doctype,
      docid,
      score,
      date,
    };
    await announceEvent(ctx, { event: 'course.stage_completed', data }, `courses/${courseid}`);
    await completeCourse(ctx, courseid, userid);
    await publishProgress(ctx, courseid, userid);
  }
}

/** Returns the id of a new completion; undefined if the stage was complete already. */
async function addStageCompletion(
  ctx: Context,
  course_stageid: number,
  userid: number,
  score: number | null,
): Promise<number | undefined> {
  const added = await ctx.db
    .insertInto('course_stage_completions')
    .values({ course_stageid, userid, score, date: ctx.seconds })
    .onConflict((conflict) => conflict.columns(['course_stageid', 'userid']).doNothing())
    .returning('course_assignment_stage_completionid')
    .executeTakeFirst();
  if (added !== undefined) return added.course_assignment_stage_completionid;
  if (score !== null)
    await ctx.db
      .updateTable('course_stage_completions')
      .set({ score })
      .where('course_stageid', '=', course_stageid)
      .where('userid', '=', userid)
      .where((eb) => eb.or([eb('score', 'is', null), eb('score', '<', score)]))
      .execute();
  return undefined;
}

/** Completes a course if the person completed all of its stages. */
async function completeCourse(ctx: Context, courseid: number, userid: number): Promise<void> {
  const open = await ctx.db
    .selectFrom('course_stages')
    .leftJoin('course_stage_completions as done', (join) =>
      join.onRef('done.course_stageid', '=', 'course_stages.course_stageid').on('done.userid', '=', userid),
    )
    .select('course_stages.course_stageid')
    .where('courseid', '=', courseid)
    .where('done.userid', 'is', null)
    .executeTakeFirst();
  if (open !== undefined) return;
  const added = await ctx.db
    .insertInto('course_completions')
    .values({ courseid, userid, date: ctx.seconds })
    .onConflict((conflict) => conflict.columns(['courseid', 'userid']).doNothing())
    .returning('courseid')
    .executeTakeFirst();
  if (added === undefined) return;
  const { title } = await ctx.db
    .selectFrom('courses')
    .select('title')
    .where('courseid', '=', courseid)
    .executeTakeFirstOrThrow();
  const data = { courseid, title, userid, date: ctx.seconds };
  await announceEvent(ctx, { event: 'course.completed', data }, `courses/${courseid}`);
}

/** Whether the person is assigned a course with a stage about the document. */
export async function isAssignedDocument(
  db: Db,
  userid: number,
  doctype: StageDoctype,
  docid: number,
): Promise<boolean> {
  const found = await db
    .selectFrom('course_stages')
    .select('course_stageid')
    .where('doctype', '=', doctype)
    .where('docid', '=', docid)
    .where('courseid', 'in', assignedCourses(db, userid).select('courseid'))
    .executeTakeFirst();
  return found !== undefined;
}

/** A page of the progress of everyone who is assigned a course, ordered by userid. */
export async function progressOfCourse(
  ctx: Context,
  courseid: number,
  page: { limit: number; offset: number },
): Promise<CourseProgress[]> {
  const rows = await ctx.db
    .selectFrom('course_assignments')
    .leftJoin('team_members', 'team_members.teamid', 'course_assignments.teamid')
    .select((eb) => eb.fn.coalesce('course_assignments.userid', 'team_members.userid').as('userid'))
    .distinct()
    .where('courseid', '=', courseid)
    .orderBy('userid')
    .execute();
  const people = rows.flatMap(({ userid }) => (userid === null ? [] : [userid]));
  ctx.total(people.length);
  return progressOf(ctx.db, courseid, people.slice(page.offset, page.offset + page.limit));
}

/** The courses that are assigned to the caller, ordered by id. */
export async function ownCourses(ctx: Context): Promise<OwnCourse[]> {
  const userid = mustUserid(ctx);
  const assigned = await assignedCourses(ctx.db, userid)
    .select((eb) => ['courseid', eb.fn.min('due_date').as('due_date')])
    .groupBy('courseid')
    .orderBy('courseid')
    .execute();
  const ids = assigned.map(({ courseid }) => courseid);
  if (ids.length === 0) return [];
  const rows = await ctx.db
    .selectFrom('courses')
    .selectAll()
    .where('courseid', 'in', ids)
    .orderBy('courseid')
    .execute();
  const found: OwnCourse[] = [];
  for (const course of await coursesOfRows(ctx.db, rows)) {
    const due_date = assigned.find(({ courseid }) => courseid === course.courseid)?.due_date ?? null;
    for (const progress of await progressOf(ctx.db, course.courseid, [userid]))
      found.push({ course, due_date, progress });
  }
  return found;
}
