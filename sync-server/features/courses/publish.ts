import type { Context } from '#server/core/context.ts';
import type { Principal } from '#server/storage/feed.ts';

import { findCourse, progressOf } from './course-rows.ts';

/**
 * Publishes a course to everyone who is assigned to it, and each assignment to its team or person.
 *
 * - COURSE-8 Devices get the courses that are assigned to their person, with the due dates that apply and the person's
 *   progress. People who manage courses read other courses on the server.
 */
export async function publishCourse(ctx: Context, courseid: number): Promise<void> {
  const course = await findCourse(ctx.db, courseid);
  const assignments = await ctx.db
    .selectFrom('course_assignments')
    .select(['course_assignmentid', 'teamid', 'userid', 'due_date'])
    .where('courseid', '=', courseid)
    .execute();
  if (course === undefined || assignments.length === 0)
    return ctx.changes.remove('training', `course:${courseid}`);
  const { title, description, stages } = course;
  const meant = assignments.map(meantBy);
  ctx.changes.put(
    'training',
    `course:${courseid}`,
    { kind: 'course', courseid, title, description, stages },
    meant,
  );
  for (const assignment of assignments) {
    const { course_assignmentid, due_date } = assignment;
    ctx.changes.put(
      'training',
      `assignment:${course_assignmentid}`,
      { kind: 'assignment', course_assignmentid, courseid, due_date },
      [meantBy(assignment)],
    );
  }
}

function meantBy({ teamid, userid }: { teamid: number | null; userid: number | null }): Principal {
  return teamid === null ? `user:${userid ?? 0}` : `team:${teamid}`;
}

/** Removes deleted assignments from devices. */
export function withdrawAssignments(ctx: Context, ids: readonly number[]): void {
  for (const id of ids) ctx.changes.remove('training', `assignment:${id}`);
}

/** Publishes a person's progress in a course to their devices. */
export async function publishProgress(ctx: Context, courseid: number, userid: number): Promise<void> {
  const [progress] = await progressOf(ctx.db, courseid, [userid]);
  if (progress === undefined) return;
  const { completed_date, stages } = progress;
  ctx.changes.put(
    'training',
    `progress:${courseid}:${userid}`,
    {
      kind: 'progress',
      courseid,
      completed_date,
      stages: stages.map(({ course_stageid, score, date }) => ({ course_stageid, score, date })),
    },
    [`user:${userid}`],
  );
}

/** Removes the progress of all people in a deleted course from their devices. */
export async function withdrawProgress(ctx: Context, courseid: number): Promise<void> {
  const rows = await ctx.db
    .selectFrom('documents')
    .select('id')
    .where('collection', '=', 'training')
    .where('id', '>=', `progress:${courseid}:`)
    .where('id', '<', `progress:${courseid};`)
    .execute();
  for (const { id } of rows) ctx.changes.remove('training', id);
}
