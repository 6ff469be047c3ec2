import type { Selectable } from 'kysely';

import type { NewAssignment } from '#shared/api/courses.ts';
import { invalid, notFound } from '#shared/api/problem.ts';
import type { CourseAssignment } from '#shared/model/course.ts';
import type { Context } from '#server/core/context.ts';
import type { Db, Tables } from '#server/storage/tables.ts';
import { announceEvent } from '#server/features/webhooks/announce.ts';

import { findPerson } from '../users/store.ts';
import { publishCourse, withdrawAssignments } from './publish.ts';

type Row = Selectable<Tables['course_assignments']> & { title: string };

function selectAssignments(db: Db) {
  return db
    .selectFrom('course_assignments')
    .innerJoin('courses', 'courses.courseid', 'course_assignments.courseid')
    .selectAll('course_assignments')
    .select('title')
    .orderBy('course_assignmentid');
}

/** The assignments of a course, in the order of creation. */
export async function assignmentsOfCourse(ctx: Context, courseid: number): Promise<CourseAssignment[]> {
  const rows = await selectAssignments(ctx.db).where('course_assignments.courseid', '=', courseid).execute();
  return assignmentsOfRows(ctx, rows);
}

/** The assignments of a team, in the order of creation. */
export async function assignmentsOfTeam(ctx: Context, teamid: number): Promise<CourseAssignment[]> {
  return assignmentsOfRows(ctx, await selectAssignments(ctx.db).where('teamid', '=', teamid).execute());
}

/** Assignments of courses that have a stage about the document. */
export async function assignmentsOfDocument(
  ctx: Context,
  doctype: string,
  docid: number,
): Promise<CourseAssignment[]> {
  const courses = ctx.db
    .selectFrom('course_stages')
    .select('course_stages.courseid')
    .where('doctype', '=', doctype)
    .where('docid', '=', docid);
  const rows = await selectAssignments(ctx.db).where('course_assignments.courseid', 'in', courses).execute();
  return assignmentsOfRows(ctx, rows);
}

/** The assignment; throws 404 if it does not exist. */
export async function mustFindAssignment(
  ctx: Context,
  course_assignmentid: number,
): Promise<CourseAssignment> {
  const rows = await selectAssignments(ctx.db)
    .where('course_assignmentid', '=', course_assignmentid)
    .execute();
  const [found] = await assignmentsOfRows(ctx, rows);
  if (found === undefined) throw notFound('Course assignment');
  return found;
}

async function assignmentsOfRows(ctx: Context, rows: Row[]): Promise<CourseAssignment[]> {
  const found: CourseAssignment[] = [];
  for (const row of rows) {
    const { course_assignmentid, courseid, title, teamid, userid, due_date } = row;
    const status = (await isComplete(ctx.db, row))
      ? 'complete'
      : due_date !== null && due_date < ctx.seconds
        ? 'overdue'
        : 'open';
    found.push({ course_assignmentid, courseid, title, teamid, userid, due_date, status });
  }
  return found;
}

/** Whether every assigned person completed the course; false for a team without members. */
async function isComplete(db: Db, { courseid, teamid, userid }: Row): Promise<boolean> {
  const people =
    teamid === null
      ? [{ userid: userid ?? 0 }]
      : await db.selectFrom('team_members').select('userid').where('teamid', '=', teamid).execute();
  const done = await db
    .selectFrom('course_completions')
    .select('userid')
    .where('courseid', '=', courseid)
    .execute();
  const ids = new Set(done.map((row) => row.userid));
  return people.length > 0 && people.every((person) => ids.has(person.userid));
}

/**
 * Assigns a course to a team or a person. Returns the id of the assignment.
 *
 * - COURSE-3 A course is assigned to a team or a person once; assigning it again changes the due date. A team means its
 *   current members. An assignment is complete when every assigned person completed the course, and otherwise overdue
 *   after its due date.
 */
export async function assignCourse(
  ctx: Context,
  course: { courseid: number; title: string },
  body: NewAssignment,
): Promise<number> {
  const { teamid = null, userid = null, due_date } = body;
  await mustBeThere(ctx, teamid, userid);
  const { courseid, title } = course;
  const known = await ctx.db
    .selectFrom('course_assignments')
    .select('course_assignmentid')
    .where('courseid', '=', courseid)
    .where('teamid', 'is not distinct from', teamid)
    .where('userid', 'is not distinct from', userid)
    .executeTakeFirst();
  if (known !== undefined) {
    const { course_assignmentid } = known;
    await ctx.db
      .updateTable('course_assignments')
      .set({ due_date })
      .where('course_assignmentid', '=', course_assignmentid)
      .execute();
    await publishCourse(ctx, courseid);
    return course_assignmentid;
  }
  const { course_assignmentid } = await ctx.db
    .insertInto('course_assignments')
    .values({ courseid, teamid, userid, due_date, created_date: ctx.seconds })
    .returning('course_assignmentid')
    .executeTakeFirstOrThrow();
  const data = { course_assignmentid, courseid, title, teamid, userid, due_date };
  await announceEvent(ctx, { event: 'course.assigned', data }, `courses/${courseid}`);
  await publishCourse(ctx, courseid);
  return course_assignmentid;
}

async function mustBeThere(ctx: Context, teamid: number | null, userid: number | null): Promise<void> {
  if (userid !== null && (await findPerson(ctx.db, userid)) === undefined)
    throw invalid('userid', `There is no user ${userid}`);
  if (teamid === null) return;
  const team = await ctx.db
    .selectFrom('teams')
    .select('teamid')
    .where('teamid', '=', teamid)
    .executeTakeFirst();
  if (team === undefined) throw invalid('teamid', `There is no team ${teamid}`);
}

/** Removes an assignment; throws 404 if the course has no assignment with this id. */
export async function removeAssignment(
  ctx: Context,
  courseid: number,
  course_assignmentid: number,
): Promise<void> {
  const removed = await ctx.db
    .deleteFrom('course_assignments')
    .where('courseid', '=', courseid)
    .where('course_assignmentid', '=', course_assignmentid)
    .executeTakeFirst();
  if (removed.numDeletedRows === 0n) throw notFound('Course assignment');
  withdrawAssignments(ctx, [course_assignmentid]);
  await publishCourse(ctx, courseid);
}

/** Removes the assignments of a deleted team. */
export async function removeAssignmentsOfTeam(ctx: Context, teamid: number): Promise<void> {
  const removed = await ctx.db
    .deleteFrom('course_assignments')
    .where('teamid', '=', teamid)
    .returning(['course_assignmentid', 'courseid'])
    .execute();
  for (const { course_assignmentid, courseid } of removed) {
    withdrawAssignments(ctx, [course_assignmentid]);
    await publishCourse(ctx, courseid);
  }
}
