import type { CourseEdit, NewCourse, NewStage } from '#shared/api/courses.ts';
import { invalid } from '#shared/api/problem.ts';
import type { Course, StageDoctype } from '#shared/model/course.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { readPage } from '#server/storage/read-page.ts';
import { can } from '#server/features/can.ts';
import { findDocument } from '#server/storage/feed.ts';
import type { GuideFacts } from '#shared/model/guide.ts';

import { findQuiz } from '../quizzes/quiz-rows.ts';
import { assignedCourses, coursesOfRows } from './course-rows.ts';
import { publishCourse, withdrawAssignments, withdrawProgress } from './publish.ts';

/** A page of courses ordered by id; with `userid`, only courses that are assigned to this person. */
export async function listCourses(
  ctx: Context,
  page: { limit: number; offset: number },
  userid: number | null,
): Promise<Course[]> {
  let select = ctx.db.selectFrom('courses').selectAll().orderBy('courseid');
  if (userid !== null)
    select = select.where('courseid', 'in', assignedCourses(ctx.db, userid).select('courseid'));
  return coursesOfRows(ctx.db, await readPage(ctx, select, page));
}

/** Creates a course and returns its id. */
export async function createCourse(ctx: Context, body: NewCourse): Promise<number> {
  const { courseid } = await ctx.db
    .insertInto('courses')
    .values({
      title: body.title,
      description: body.description,
      userid: mustUserid(ctx),
      created_date: ctx.seconds,
      modified_date: ctx.seconds,
    })
    .returning('courseid')
    .executeTakeFirstOrThrow();
  await setStages(ctx, courseid, body.stages);
  return courseid;
}

/** Changes the fields that `edit` names. */
export async function editCourse(ctx: Context, courseid: number, edit: CourseEdit): Promise<void> {
  await ctx.db
    .updateTable('courses')
    .set({
      ...(edit.title === undefined ? {} : { title: edit.title }),
      ...(edit.description === undefined ? {} : { description: edit.description }),
      modified_date: ctx.seconds,
    })
    .where('courseid', '=', courseid)
    .execute();
  if (edit.stages !== undefined) await setStages(ctx, courseid, edit.stages);
  await publishCourse(ctx, courseid);
}

/** Deletes a course with its assignments and progress. */
export async function removeCourse(ctx: Context, courseid: number): Promise<void> {
  const assignments = await ctx.db
    .selectFrom('course_assignments')
    .select('course_assignmentid')
    .where('courseid', '=', courseid)
    .execute();
  await ctx.db.deleteFrom('courses').where('courseid', '=', courseid).execute();
  withdrawAssignments(
    ctx,
    assignments.map((row) => row.course_assignmentid),
  );
  await withdrawProgress(ctx, courseid);
  await publishCourse(ctx, courseid);
}

/**
 * Replaces the stages of a course. Throws 422 for unknown stages and documents.
 *
 * - COURSE-2 A stage is about an existing document that its author sees; a module must have a version. The given stages
 *   replace all others; a stage given with its id keeps its completions. Its title, by default the document's title, is
 *   part of the course: people assigned to it can read it even if they cannot see the document yet.
 */
async function setStages(ctx: Context, courseid: number, stages: NewStage[]): Promise<void> {
  const known = await ctx.db
    .selectFrom('course_stages')
    .select('course_stageid')
    .where('courseid', '=', courseid)
    .execute();
  const kept = stages.flatMap(({ course_stageid }) => (course_stageid === undefined ? [] : [course_stageid]));
  stages.forEach(({ course_stageid: id }, index) => {
    if (id === undefined) return;
    if (!known.some(({ course_stageid }) => course_stageid === id))
      throw invalid('stages', `The course has no stage ${id}`, index);
    if (kept.indexOf(id) !== kept.lastIndexOf(id))
      throw invalid('stages', `Stage ${id} is named twice`, index);
  });
  const stale = ctx.db.deleteFrom('course_stages').where('courseid', '=', courseid);
  await (kept.length === 0 ? stale : stale.where('course_stageid', 'not in', kept)).execute();
  for (const [index, stage] of stages.entries()) await saveStage(ctx, courseid, stage, index);
}

async function saveStage(ctx: Context, courseid: number, stage: NewStage, index: number): Promise<void> {
  const { course_stageid, title, doctype, docid, passing_score } = stage;
  const found = await titles[doctype](ctx, docid);
  if (found === undefined) {
    const version = doctype === 'external_training_module' ? ' with a version to play' : '';
    throw invalid('stages', `There is no ${doctype.replaceAll('_', ' ')} ${docid}${version}`, index);
  }
  const row = { orderby: index + 1, title: title ?? found, doctype, docid, passing_score };
  if (course_stageid === undefined)
    await ctx.db
      .insertInto('course_stages')
      .values({ courseid, ...row })
      .execute();
  else
    await ctx.db.updateTable('course_stages').set(row).where('course_stageid', '=', course_stageid).execute();
}

/** Title of a document that a stage can be about, by kind; undefined if the caller sees no such document. */
const titles: Record<StageDoctype, (ctx: Context, docid: number) => Promise<string | undefined>> = {
  guide: async (ctx, guideid) => {
    const facts = (await findDocument(ctx.db, 'guides', String(guideid))) as GuideFacts | undefined;
    return facts !== undefined && can(ctx.viewer, 'guide.see', facts) ? facts.title : undefined;
  },
  quiz: async (ctx, quizid) => (await findQuiz(ctx.db, quizid))?.title,
  external_training_module: async (ctx, moduleid) => {
    const row = await ctx.db
      .selectFrom('training_modules')
      .select('title')
      .where('moduleid', '=', moduleid)
      // A module without a version, as after a failed import, cannot be taken.
      .where((eb) => eb.or([eb('current_importid', 'is not', null), eb('draft_importid', 'is not', null)]))
      .executeTakeFirst();
    return row?.title;
  },
};
