import type { CourseProgress } from '#shared/model/course.ts';
import type { Db } from '#server/storage/tables.ts';

/** How far these people are in a course, in their order. */
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
