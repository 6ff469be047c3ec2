import { z } from 'zod';

import { courseStage } from './course.ts';
import { percent, quizSessionStatus, surveyAnswers, surveyJson } from './quiz.ts';

/** A question of a completed session with what was answered. `is_correct`: null where the question has no correct answer. */
const quizResult = z.strictObject({
  title: z.string(),
  answer: z.unknown(),
  is_correct: z.boolean().nullable(),
});

/**
 * What somebody answered to a quiz, for that person alone. `answers`: while it is open. `results`: question by question,
 * once the server has scored it. `key`: the call of a device that began it.
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

/** A quiz as it is now, without correct answers: whoever takes quizzes gets it. */
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

/** A course, for those who are to take it. */
const courseFacts = z.strictObject({
  kind: z.literal('course'),
  courseid: z.int(),
  title: z.string(),
  description: z.string(),
  stages: z.array(courseStage),
});
export type CourseFacts = z.infer<typeof courseFacts>;

/** How far the person is in a course. */
const progressFacts = z.strictObject({
  kind: z.literal('progress'),
  courseid: z.int(),
  completed_date: z.int().nullable(),
  stages: z.array(z.strictObject({ course_stageid: z.int(), score: z.number().nullable(), date: z.int() })),
});
export type ProgressFacts = z.infer<typeof progressFacts>;

/**
 * Quizzes and courses (feed collection `training`). Ids: the number of a session, `quiz:{quizid}`,
 * `guideQuizzes:{guideid}` (for those who see the guide), `course:{courseid}`, `assignment:{course_assignmentid}` (for
 * those whom it means) and `progress:{courseid}:{userid}`.
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
