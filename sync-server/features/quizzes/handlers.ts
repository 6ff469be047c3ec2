import { quizzes } from '#shared/api/quizzes.ts';
import { notFound } from '#shared/api/problem.ts';
import type { SurveyJson } from '#shared/model/quiz.ts';
import { withoutCorrectAnswers } from '#shared/rules/quiz-survey.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import { handle } from '#server/http/handle.ts';

import { assignmentsOfDocument } from '../courses/assignments.ts';
import { mustSeeCourse } from '../courses/policy.ts';
import { mustSeeGuide } from '../guides/policy.ts';
import { associate, associationsOf, attachQuiz, dissociate, representAttachment } from './guides.ts';
import { againWhenOutdated } from './outdated.ts';
import {
  mayEditNamedGuide,
  mustFindQuiz,
  mustManageQuizzes,
  mustSeeQuizzes,
  mustTakeQuizzes,
} from './policy.ts';
import { findSurvey } from './quiz-rows.ts';
import { listSessions, representAttempt, representSession, submissionOf } from './session-records.ts';
import { beginAttempt, endOpen, findStage, saveAnswers, scoreAnswers, submitAnswers } from './sessions.ts';
import {
  changeQuestions,
  checkQuestions,
  deleteQuizzes,
  importedQuizOf,
  insertQuiz,
  newQuizOf,
  representQuiz,
  searchQuizzes,
} from './store.ts';

const sees = (_: unknown, ctx: Context): void => mustSeeQuizzes(ctx);
const takes = (_: unknown, ctx: Context): void => mustTakeQuizzes(ctx);
const manages = (_: unknown, ctx: Context): void => mustManageQuizzes(ctx);

async function answerQuiz(ctx: Context, quizid: number) {
  const quiz = await mustFindQuiz(ctx, quizid);
  return ctx.respondWithRecord('quiz', quizid, representQuiz(ctx, quiz));
}

async function readSurvey(ctx: Context, quizid: number, version: number | undefined): Promise<SurveyJson> {
  const { quiz_revisionid } = await mustFindQuiz(ctx, quizid);
  const survey = await findSurvey(ctx.db, quizid, version ?? quiz_revisionid);
  if (survey === undefined) throw notFound('Revision');
  return can(ctx.viewer, 'quiz.seeAnswers', null) ? survey : withoutCorrectAnswers(survey);
}

async function passingScore(ctx: Context, course_stageid: number, quizid: number): Promise<number> {
  const quiz = await mustFindQuiz(ctx, quizid);
  const stage = await findStage(ctx.db, course_stageid, quizid);
  if (stage === undefined) throw notFound('Course stage');
  await mustSeeCourse(ctx, stage.courseid);
  return stage.passing_score ?? quiz.passing_score;
}

/**
 * - QUIZ-12 Calls about sessions take effect once, however often they are delivered.
 */
export const quizHandlers = handle(
  quizzes,
  {
    search: { allow: sees, run: ({ body }, ctx) => searchQuizzes(ctx, body) },
    questions: {
      allow: manages,
      run: ({ body }, ctx) =>
        againWhenOutdated(async () => {
          const checked = await checkQuestions(ctx, body);
          return ctx.write(async (write) => {
            await changeQuestions(write, body, checked);
            return answerQuiz(write, body.quizid);
          });
        }),
    },
    create: {
      allow: manages,
      run: async ({ body }, ctx) => {
        const quiz = await newQuizOf(ctx, body);
        return ctx.write(async (write) => answerQuiz(write, await insertQuiz(write, quiz)));
      },
    },
    import: {
      allow: manages,
      run: async ({ body }, ctx) => {
        const quiz = await importedQuizOf(ctx, body);
        return ctx.write(async (write) => answerQuiz(write, await insertQuiz(write, quiz)));
      },
    },
    read: {
      allow: sees,
      run: ({ params, query }, ctx) => readSurvey(ctx, params.quizid, query.quiz_revisionid),
    },
    remove: {
      allow: manages,
      run: async ({ body }, ctx) => {
        const result = await deleteQuizzes(ctx, body.quizids);
        return ctx.respondWithRecord('quizzesDeleted', JSON.stringify(result), result);
      },
    },
    associate: {
      allow: mayEditNamedGuide,
      run: async ({ body }, ctx) => {
        await associate(ctx, body);
        return ctx.respondWithRecord('quizAssociations', body.guideid, associationsOf(ctx, body.guideid));
      },
    },
    dissociate: { allow: mayEditNamedGuide, run: ({ body }, ctx) => dissociate(ctx, body) },
    associations: {
      allow: async ({ params }, ctx) => {
        await mustSeeGuide(ctx, params.guideid);
        mustSeeQuizzes(ctx);
      },
      run: ({ params }, ctx) => associationsOf(ctx, params.guideid),
    },
    courseAssignments: {
      allow: async ({ params }, ctx) => {
        await mustFindQuiz(ctx, params.quizid);
        mustManageQuizzes(ctx);
      },
      run: ({ params }, ctx) => assignmentsOfDocument(ctx, 'quiz', params.quizid),
    },
    passingScore: {
      allow: sees,
      run: async ({ params }, ctx) => ({
        passing_score: await passingScore(ctx, params.course_stageid, params.quizid),
      }),
    },
    attempt: {
      allow: takes,
      run: async ({ body }, ctx) => {
        const sessionid = await beginAttempt(ctx, body);
        return ctx.respondWithRecord('quizAttempt', sessionid, representAttempt(ctx, sessionid));
      },
    },
    attach: {
      allow: mayEditNamedGuide,
      run: async ({ body, revisionid }, ctx) => {
        const attachment = await attachQuiz(ctx, body, revisionid);
        return ctx.respondWithRecord('quizAttachment', body.guideid, attachment);
      },
    },
    save: {
      allow: takes,
      run: async ({ body }, ctx) => {
        const sessionid = await saveAnswers(ctx, body);
        return ctx.respondWithRecord('quizSession', sessionid, representSession(ctx, sessionid));
      },
    },
    submit: {
      allow: takes,
      run: ({ body }, ctx) =>
        againWhenOutdated(async () => {
          const scored = await scoreAnswers(ctx, body);
          return ctx.write(async (write) => {
            const sessionid = await submitAnswers(write, body, scored);
            return write.respondWithRecord('quizSession', sessionid, representSession(write, sessionid));
          });
        }),
    },
    cancel: {
      allow: takes,
      run: async ({ body }, ctx) => {
        await endOpen(ctx, body);
        return ctx.respondWithRecord('quizCancelled', body.quizid, { ok: true as const });
      },
    },
    submission: {
      allow: sees,
      run: ({ params }, ctx) => submissionOf(ctx, params.sessionid),
    },
    sessions: {
      allow: sees,
      run: async ({ query }, ctx) => ({ quizSessions: await listSessions(ctx, query) }),
    },
  },
  {
    quiz: async (ctx, id) => {
      mustManageQuizzes(ctx);
      return representQuiz(ctx, await mustFindQuiz(ctx, Number(id)));
    },
    // The result of a deletion of quizzes is stored as the id.
    quizzesDeleted: (ctx, id) => {
      mustManageQuizzes(ctx);
      return JSON.parse(id) as unknown;
    },
    quizAssociations: async (ctx, id) => associationsOf(ctx, (await mustSeeGuide(ctx, Number(id))).guideid),
    quizAttachment: (ctx, id) => representAttachment(ctx, Number(id)),
    quizAttempt: (ctx, id) => representAttempt(ctx, Number(id)),
    quizSession: (ctx, id) => representSession(ctx, Number(id)),
    quizCancelled: () => ({ ok: true }),
  },
);
