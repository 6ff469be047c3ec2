import type { Selectable } from 'kysely';

import { notFound } from '#shared/api/problem.ts';
import { stageDoctype, type Course, type CourseStage } from '#shared/model/course.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

type CourseRow = Selectable<Tables['courses']>;

/** The course; undefined when there is none. */
export async function findCourse(db: Db, courseid: number): Promise<Course | undefined> {
  const row = await db.selectFrom('courses').selectAll().where('courseid', '=', courseid).executeTakeFirst();
  return row === undefined ? undefined : (await coursesOfRows(db, [row]))[0];
}

/** The course; 404 when there is none. */
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

/** Assignments that mean this person: their own and those of their teams. */
export function assignedCourses(db: Db, userid: number) {
  const teams = db.selectFrom('team_members').select('teamid').where('userid', '=', userid);
  return db
    .selectFrom('course_assignments')
    .where((eb) => eb.or([eb('userid', '=', userid), eb('teamid', 'in', teams)]));
}

/** Whether the person is to take the course. */
export async function isAssigned(db: Db, userid: number, courseid: number): Promise<boolean> {
  const found = await assignedCourses(db, userid)
    .select('courseid')
    .where('courseid', '=', courseid)
    .executeTakeFirst();
  return found !== undefined;
}
