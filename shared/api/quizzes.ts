import { z } from 'zod';

import { courseAssignment } from '#shared/model/course.ts';
import { guide } from '#shared/model/guide-record.ts';
import {
  percent,
  quiz,
  quizAssociation,
  quizAttachment,
  quizAttempt,
  quizSession,
  quizSessionStatus,
  quizSubmission,
  surveyAnswers,
  surveyJson,
} from '#shared/model/quiz.ts';

import { del, get, idText, limit, offset, order, post } from './endpoint.ts';

const id = z.int().positive();
const quizId = z.strictObject({ quizid: idText });
const title = z.string().trim().min(1).max(200);

/** The types of questions that `/quizzes/questions` can create; an import accepts every type that SurveyJS knows. */
const questionType = z.enum([
  'radiogroup',
  'checkbox',
  'boolean',
  'text',
  'comment',
  'dropdown',
  'tagbox',
  'rating',
  'ranking',
  'imagepicker',
]);

const choice = z.union([
  z.string().max(1000),
  z.number(),
  z.strictObject({
    value: z.union([z.string().max(1000), z.number()]),
    text: z.string().max(1000).optional(),
    imageLink: z.string().max(2000).optional(),
  }),
]);

/**
 * A question in a request body; for one that the quiz already has, only the title counts (spec, POST
 * /quizzes/questions).
 */
const newQuestion = z.strictObject({
  vendor_question_uid: z.string().trim().min(1).max(200),
  title: z.string().trim().min(1).max(2000),
  type: questionType.default('text'),
  choices: z.array(choice).max(200).optional(),
  correct_answer: z
    .unknown()
    .optional()
    .meta({ examples: ['its owner'] }),
  is_required: z.boolean().default(false),
});
export type NewQuestion = z.output<typeof newQuestion>;

const questions = z.array(newQuestion).min(1).max(200);

export const newQuiz = z.strictObject({
  title,
  passing_score: percent.default(0),
  questions: z.array(newQuestion).max(200).default([]),
});
export type NewQuiz = z.output<typeof newQuiz>;

/**
 * Converts the forms of an import: the survey is in `surveyjs` or `json`, or it is the body itself, with pages or
 * elements.
 */
function asImport(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || 'surveyjs' in body) return body;
  if ('json' in body) {
    const { json, ...rest } = body;
    return { ...rest, surveyjs: json };
  }
  if (!('pages' in body) && !('elements' in body)) return body;
  const { passing_score, ...survey } = { passing_score: undefined, ...body };
  return { passing_score, surveyjs: survey };
}

const quizImport = z.preprocess(
  asImport,
  z.strictObject({
    title: title.optional(),
    passing_score: percent.default(0),
    surveyjs: surveyJson,
  }),
);

const quizFilters = z.strictObject({
  quizids: z.array(id).max(200).optional(),
  userid: id.optional(),
  guideid: id.optional(),
  course_stageid: id.optional(),
});

export const quizSearch = z.strictObject({
  query: z.string().max(200).default(''),
  filters: quizFilters.default({}),
  sort: z.enum(['quizid', 'title', 'created_date', 'modified_date', 'question_count']).default('quizid'),
  order,
  limit,
  offset,
});
export type QuizSearch = z.output<typeof quizSearch>;

const association = z.strictObject({ guideid: id, quizids: z.array(id).min(1).max(200) });

/** The quiz that a person takes. `quiz_revisionid`: the version that they see; without it the current one. */
const quizUse = {
  quizid: id,
  quiz_revisionid: id.optional(),
  guideid: id.optional(),
  course_stageid: id.optional(),
};
const attempt = z.strictObject(quizUse);
export type QuizUse = z.output<typeof attempt>;

/** `sessionid`: the session, which must be open; without it the caller's open session, else a new one. */
const answered = z.strictObject({ ...quizUse, sessionid: id.optional(), response_json: surveyAnswers });
export type QuizAnswers = z.output<typeof answered>;

/** `sessionid`: end the open session only if it is this one. */
const cancelled = z.strictObject({ quizid: id, sessionid: id.optional() });
export type QuizCancel = z.output<typeof cancelled>;

export const sessionFilter = z.object({
  query: z.string().default(''),
  quizid: idText.optional(),
  userid: idText.optional(),
  status: quizSessionStatus.optional(),
  order,
  limit,
  offset,
});
export type SessionFilter = z.output<typeof sessionFilter>;

/** Quizzes, their guides and their sessions (spec, "Quizzes"; the spec shows no bodies, they are ours). */
export const quizzes = {
  search: post('/quizzes/getQuizzes', {
    summary: 'List quizzes: searched, filtered, sorted, in pages',
    reads: true,
    body: quizSearch,
    result: z.strictObject({
      quizzes: z.array(quiz),
      totalResults: z.int(),
      offset: z.int(),
      limit: z.int(),
    }),
    refuses: [400, 403],
  }),
  questions: post('/quizzes/questions', {
    summary: 'Change questions of a quiz: known ones get their title, others are added',
    body: z.strictObject({ quizid: id, questions }),
    result: quiz,
    transaction: 'handler',
    refuses: [400, 403],
  }),
  create: post('/quizzes', {
    summary: 'Create a quiz',
    status: 201,
    body: newQuiz,
    result: quiz,
    transaction: 'handler',
    refuses: [400, 403],
  }),
  import: post('/quizzes/import', {
    summary: 'Create a quiz from SurveyJS JSON, in `surveyjs` or `json`, or as the body itself',
    status: 201,
    body: quizImport,
    result: quiz,
    transaction: 'handler',
    refuses: [400, 403],
  }),
  read: get('/quizzes/{quizid}', {
    summary: 'Read a quiz as SurveyJS JSON; correct answers only for those who manage quizzes',
    params: quizId,
    query: z.object({ quiz_revisionid: idText.optional() }),
    result: surveyJson,
    refuses: [403, 404],
  }),
  remove: post('/quizzes/delete', {
    summary: 'Delete quizzes; those that are in use are kept',
    body: z.strictObject({ quizids: z.array(id).min(1).max(200) }),
    result: z.strictObject({ deleted: z.array(z.int()), kept: z.array(z.int()) }),
    refuses: [400, 403],
  }),
  associate: post('/quizzes/associations', {
    summary: 'Associate a guide with quizzes',
    body: association,
    result: z.array(quizAssociation),
    refuses: [400, 403],
  }),
  dissociate: del('/quizzes/associations', {
    summary: 'Delete associations of a guide with quizzes',
    status: 204,
    body: association,
    refuses: [400, 403],
  }),
  associations: get('/quizzes/associations/{guideid}', {
    summary: 'List the quizzes of a guide',
    params: z.strictObject({ guideid: idText }),
    result: z.array(quizAssociation),
    refuses: [403, 404],
  }),
  courseAssignments: get('/quizzes/courseAssignments/{quizid}', {
    summary: 'List who is to take a course with the quiz',
    params: quizId,
    result: z.array(courseAssignment),
    refuses: [403, 404],
  }),
  passingScore: get('/quizzes/passingScore/{course_stageid}/{quizid}', {
    summary: 'Read what it takes to pass a quiz in a stage of a course',
    params: z.strictObject({ course_stageid: idText, quizid: idText }),
    result: z.strictObject({ passing_score: percent }),
    refuses: [403, 404],
  }),
  attempt: post('/quizzes/attempt', {
    summary: 'Begin an attempt at a quiz; an open session of the caller ends',
    status: 201,
    body: attempt,
    result: quizAttempt,
    refuses: [400, 403],
    offline: 'quiz-begin',
  }),
  attach: post('/quizzes/attach/guide', {
    summary:
      'Attach the current version of a quiz to a guide, as a new revision of it; null takes the quiz off',
    body: z.strictObject({ guideid: id, quizid: id.nullable() }),
    result: quizAttachment,
    revisioned: guide,
    conflict: guide,
    refuses: [400, 403],
  }),
  save: post('/quizzes/sessions/save', {
    summary: 'Save answers: into the open session of the caller, else into a new one',
    body: answered,
    result: quizSession,
    refuses: [400, 403],
    offline: 'quiz-save',
  }),
  submit: post('/quizzes/sessions/submit', {
    summary: 'Save answers and complete the session',
    body: answered,
    result: quizSession,
    transaction: 'handler',
    refuses: [400, 403],
    offline: 'quiz-submit',
  }),
  cancel: post('/quizzes/sessions/cancel', {
    summary: 'Cancel the open session of the caller, if there is one',
    body: cancelled,
    result: z.strictObject({ ok: z.literal(true) }),
    refuses: [400, 403],
    offline: 'quiz-cancel',
  }),
  submission: get('/quizzes/submissions/{sessionid}', {
    summary: 'Read the results of a session',
    params: z.strictObject({ sessionid: idText }),
    result: quizSubmission,
    refuses: [403, 404],
  }),
  sessions: get('/quizzes/sessions', {
    summary: 'List sessions: all for administrators, else the own and those of teams that the caller owns',
    query: sessionFilter,
    result: z.strictObject({ quizSessions: z.array(quizSession) }),
    refuses: [403],
  }),
};
