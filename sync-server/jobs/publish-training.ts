import type { Services } from '#server/http/context.ts';
import { publishCourse, publishProgress } from '#server/resources/courses/publish.ts';
import { publishGuideQuizzes, publishQuiz, publishSession } from '#server/resources/quizzes/publish.ts';

import { contextForJob } from './context.ts';

/** Says in the database that devices were told of what was stored before they were told of it. */
const done = 'training_published';

/** Tells devices once of the quizzes, sessions and courses that a server of before this version has stored. */
export async function publishTraining(services: Services): Promise<void> {
  const { reader } = services.storage;
  const told = await reader.selectFrom('meta').select('value').where('name', '=', done).executeTakeFirst();
  if (told !== undefined) return;
  await contextForJob(services, null, async (ctx) => {
    for (const { quizid } of await ctx.db
      .selectFrom('quizzes')
      .select('quizid')
      .where('deleted', '=', 0)
      .execute())
      await publishQuiz(ctx, quizid);
    for (const { sessionid } of await ctx.db.selectFrom('quiz_sessions').select('sessionid').execute())
      await publishSession(ctx, sessionid);
    const guides = await ctx.db.selectFrom('quiz_associations').select('guideid').distinct().execute();
    for (const { guideid } of guides) await publishGuideQuizzes(ctx, guideid);
    for (const { courseid } of await ctx.db.selectFrom('courses').select('courseid').execute())
      await publishCourse(ctx, courseid);
    const progress = await ctx.db
      .selectFrom('course_stage_completions as done')
      .innerJoin('course_stages', 'course_stages.course_stageid', 'done.course_stageid')
      .select(['courseid', 'userid'])
      .distinct()
      .execute();
    for (const { courseid, userid } of progress) await publishProgress(ctx, courseid, userid);
    await ctx.db.insertInto('meta').values({ name: done, value: '1' }).execute();
  });
}
