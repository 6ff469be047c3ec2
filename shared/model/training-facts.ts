import { z } from 'zod';

import { courseStage } from './course.ts';
import { percent, quizSessionStatus, surveyAnswers, surveyJson } from './quiz.ts';

/**
 * A question of a completed session with the answer given. `is_correct`: null when the question has no correct answer.
 */
const quizResult = z.strictObject({
  title: z.string(),
  answer: z.unknown(),
  is_correct: z.boolean().nullable(),
});

/**
 * A person's answers to a quiz, visible to that person only. `answers`: while the session is open. `results`: by
 * question, once the server has scored it. `key`: the Idempotency-Key of the call with which a device began it.
 */
const sessionFacts = z.strictObject({
  kind: z.literal('session'),
  sessionid: z.int(),
  key: z.string().optional(),
  quizid: z.int(),
  quiz_revisionid: z.int(),
  title: z.string(),
  guideid: z.int().nullable(),
  course_stageid: z.int().nullable(),
  status: quizSessionStatus,
  start_date: z.int(),
  modified_date: z.int(),
  end_date: z.int().nullable(),
  score: percent.nullable(),
  passing_score: percent,
  passed: z.boolean().nullable(),
  answers: surveyAnswers.optional(),
  results: z.array(quizResult).optional(),
});
export type SessionFacts = z.infer<typeof sessionFacts>;

/** The current version of a quiz without correct answers, for everyone who may take quizzes. */
const quizFacts = z.strictObject({
  kind: z.literal('quiz'),
  quizid: z.int(),
  quiz_revisionid: z.int(),
  title: z.string(),
  passing_score: percent,
  question_count: z.int(),
  modified_date: z.int(),
  survey: surveyJson,
});
export type QuizFacts = z.infer<typeof quizFacts>;

/** A course, for the people to whom it is assigned. */
const courseFacts = z.strictObject({
  kind: z.literal('course'),
  courseid: z.int(),
  title: z.string(),
  description: z.string(),
  stages: z.array(courseStage),
});
export type CourseFacts = z.infer<typeof courseFacts>;

/** The progress of the person in a course. */
const progressFacts = z.strictObject({
  kind: z.literal('progress'),
  courseid: z.int(),
  completed_date: z.int().nullable(),
  stages: z.array(z.strictObject({ course_stageid: z.int(), score: z.number().nullable(), date: z.int() })),
});
export type ProgressFacts = z.infer<typeof progressFacts>;

/**
 * Quizzes and courses (feed collection `training`). Ids: the number of a session, `quiz:{quizid}`,
 * `guideQuizzes:{guideid}` (for viewers of the guide), `course:{courseid}`, `assignment:{course_assignmentid}` (for the
 * people assigned) and `progress:{courseid}:{userid}`.
 */
export const trainingFacts = z.discriminatedUnion('kind', [
  sessionFacts,
  quizFacts,
  z.strictObject({ kind: z.literal('guideQuizzes'), guideid: z.int(), quizids: z.array(z.int()) }),
  courseFacts,
  z.strictObject({
    kind: z.literal('assignment'),
    course_assignmentid: z.int(),
    courseid: z.int(),
    due_date: z.int().nullable(),
  }),
  progressFacts,
]);
export type TrainingFacts = z.infer<typeof trainingFacts>;
