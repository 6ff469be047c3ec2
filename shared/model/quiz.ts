import { z } from 'zod';

/** A quiz in the format of SurveyJS: https://surveyjs.io/form-library/documentation/design-survey/survey-json-schema */
export const surveyJson = z.record(z.string(), z.unknown()).meta({
  id: 'SurveyJson',
  examples: [
    {
      title: 'Lockout',
      pages: [
        {
          name: 'page1',
          elements: [
            {
              type: 'radiogroup',
              name: 'q1',
              title: 'Who takes the lock off?',
              choices: ['its owner', 'anybody'],
            },
          ],
        },
      ],
    },
  ],
});
export type SurveyJson = z.infer<typeof surveyJson>;

/** A person's answers in the format of SurveyJS: by name of the question. */
export const surveyAnswers = z
  .record(z.string(), z.unknown())
  .meta({ id: 'SurveyAnswers', examples: [{ q1: 'its owner' }] });
export type SurveyAnswers = z.infer<typeof surveyAnswers>;

export const percent = z.int().min(0).max(100);

/** A quiz (not in the spec). `associations`: its guides, as far as the caller may see them. */
export const quiz = z
  .strictObject({
    quizid: z.int(),
    title: z.string(),
    quiz_revisionid: z.int(),
    passing_score: percent,
    question_count: z.int(),
    userid: z.int(),
    created_date: z.int(),
    modified_date: z.int(),
    associations: z.array(z.int()),
  })
  .meta({ id: 'Quiz' });
export type Quiz = z.infer<typeof quiz>;

/** The link from a guide to the current version of a quiz. */
export const quizAssociation = z
  .strictObject({ guideid: z.int(), quizid: z.int(), quiz_revisionid: z.int(), title: z.string() })
  .meta({ id: 'QuizAssociation' });
export type QuizAssociation = z.infer<typeof quizAssociation>;

/** The version of a quiz attached to a version of a guide; all ids are null without one. */
export const quizAttachment = z
  .strictObject({
    guideid: z.int(),
    revisionid: z.int(),
    guide_revisionid: z.int(),
    quizid: z.int().nullable(),
    quiz_revisionid: z.int().nullable(),
  })
  .meta({ id: 'QuizAttachment' });
export type QuizAttachment = z.infer<typeof quizAttachment>;

/** An attempt at a quiz. Each has one session. */
export const quizAttempt = z
  .strictObject({ attemptid: z.int(), sessionid: z.int(), quizid: z.int(), quiz_revisionid: z.int() })
  .meta({ id: 'QuizAttempt' });
export type QuizAttempt = z.infer<typeof quizAttempt>;

export const quizSessionStatus = z.enum(['in_progress', 'completed', 'cancelled']);

/**
 * A person's answers to a version of a quiz. `score`: percent; null while the session is open, and when nothing in the
 * quiz has a correct answer. `passing_score`: that of the course stage if one is named, else that of the quiz.
 */
export const quizSession = z
  .strictObject({
    sessionid: z.int(),
    quizid: z.int(),
    quiz_revisionid: z.int(),
    title: z.string(),
    userid: z.int(),
    username: z.string(),
    status: quizSessionStatus,
    response_json: surveyAnswers,
    guideid: z.int().nullable(),
    course_stageid: z.int().nullable(),
    start_date: z.int(),
    modified_date: z.int(),
    end_date: z.int().nullable(),
    score: percent.nullable(),
    passing_score: percent,
    passed: z.boolean().nullable(),
  })
  .meta({ id: 'QuizSession' });
export type QuizSession = z.infer<typeof quizSession>;

/**
 * A question with the answer given. `correct_answer`: for callers who may see it. `is_correct`: null when the question
 * has no correct answer.
 */
const answeredQuestion = z
  .strictObject({
    vendor_question_uid: z.string(),
    title: z.string(),
    answer: z.unknown(),
    correct_answer: z.unknown().optional(),
    is_correct: z.boolean().nullable(),
  })
  .meta({ id: 'AnsweredQuestion' });
export type AnsweredQuestion = z.infer<typeof answeredQuestion>;

/** Results of a session. `correct_count` and `quiz_count` count as SurveyJS does: each row of a matrix separately. */
export const quizSubmission = z
  .strictObject({
    sessionid: z.int(),
    quizid: z.int(),
    quiz_revisionid: z.int(),
    userid: z.int(),
    status: quizSessionStatus,
    score: percent.nullable(),
    passing_score: percent,
    passed: z.boolean().nullable(),
    correct_count: z.int(),
    quiz_count: z.int(),
    questions: z.array(answeredQuestion),
  })
  .meta({ id: 'QuizSubmission' });
export type QuizSubmission = z.infer<typeof quizSubmission>;
