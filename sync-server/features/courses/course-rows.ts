import type { Selectable } from 'kysely';

import { notFound } from '#shared/api/problem.ts';
import { stageDoctype, type Course, type CourseProgress, type CourseStage } from '#shared/model/course.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

type CourseRow = Selectable<Tables['courses']>;

/** The course; undefined if it does not exist. */
export async function findCourse(db: Db, courseid: number): Promise<Course | undefined> {
  const row = await db.selectFrom('courses').selectAll().where('courseid', '=', courseid).executeTakeFirst();
  return row === undefined ? undefined : (await coursesOfRows(db, [row]))[0];
}

/** The course; throws 404 if it does not exist. */
export async function mustFindCourse(db: Db, courseid: number): Promise<Course> {
  const found = await findCourse(db, courseid);
  if (found === undefined) throw notFound('Course');
  return found;
}

/** Courses with their stages, in the order of `rows`. */
export async function coursesOfRows(db: Db, rows: CourseRow[]): Promise<Course[]> {
  const ids = rows.map((row) => row.courseid);
  const stages =
    ids.length === 0
      ? []
      : await db
          .selectFrom('course_stages')
          .selectAll()
          .where('courseid', 'in', ids)
          .orderBy('orderby')
          .execute();
  return rows.map((row) => ({
    ...row,
    stages: stages.filter(({ courseid }) => courseid === row.courseid).map(stageOf),
  }));
}

function stageOf(row: Selectable<Tables['course_stages']>): CourseStage {
  const { course_stageid, orderby, title, docid, passing_score } = row;
  return { course_stageid, orderby, title, doctype: stageDoctype.parse(row.doctype), docid, passing_score };
}

/** Assignments of a person and of their teams, as a query to extend. */
export function assignedCourses(db: Db, userid: number) {
  const teams = db.selectFrom('team_members').select('teamid').where('userid', '=', userid);
  return db
    .selectFrom('course_assignments')
    .where((eb) => eb.or([eb('userid', '=', userid), eb('teamid', 'in', teams)]));
}

/** Whether the course is assigned to the person or one of their teams. */
export async function isAssigned(db: Db, userid: number, courseid: number): Promise<boolean> {
  const found = await assignedCourses(db, userid)
    .select('courseid')
    .where('courseid', '=', courseid)
    .executeTakeFirst();
  return found !== undefined;
}

/** The progress of these people in a course, in their order. */
export async function progressOf(db: Db, courseid: number, userids: number[]): Promise<CourseProgress[]> {
  if (userids.length === 0) return [];
  const stages = await db
    .selectFrom('course_stage_completions as done')
    .innerJoin('course_stages', 'course_stages.course_stageid', 'done.course_stageid')
    .selectAll('done')
    .where('courseid', '=', courseid)
    .where('done.userid', 'in', userids)
    .orderBy('orderby')
    .execute();
  const courses = await db
    .selectFrom('course_completions')
    .selectAll()
    .where('courseid', '=', courseid)
    .where('userid', 'in', userids)
    .execute();
  return userids.map((userid) => ({
    courseid,
    userid,
    completed_date: courses.find((row) => row.userid === userid)?.date ?? null,
    stages: stages
      .filter((row) => row.userid === userid)
      .map(({ course_assignment_stage_completionid, course_stageid, score, date }) => ({
        course_assignment_stage_completionid,
        course_stageid,
        score,
        date,
      })),
  }));
}
