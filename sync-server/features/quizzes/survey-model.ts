import { Model, type IsAnswerCorrectEvent, type SurveyModel } from 'survey-core';

import type { AnsweredQuestion, SurveyAnswers, SurveyJson } from '#shared/model/quiz.ts';
import { fullestAnswers } from '#shared/rules/survey-answers.ts';
import { scoreOf } from '#shared/rules/quiz-survey.ts';

/** The result of answers to a quiz, by survey-core, for every type of question that it scores. */
export interface Marks {
  correct: number;
  all: number;
  score: number | null;
  questions: AnsweredQuestion[];
}

/** Longest title in results, UTF-16 code units. Titles can contain answers, which have any length. */
const longestTitle = 5000;

function open(survey: SurveyJson): SurveyModel {
  return new Model(structuredClone(survey));
}

/**
 * What survey-core rejects in a survey with this number of questions (it omits elements of unknown types); null if
 * nothing. Throws its error for a survey that it cannot read, or cannot score without answers and which could therefore
 * never be submitted. Takes as long as scoring the longest possible answers.
 */
export function modelFlaw(survey: SurveyJson, count: number): string | null {
  const model = open(survey);
  const flaws = model.jsonErrors ?? [];
  const flaw = flaws.find((one) => one.type !== 'unknownproperty');
  if (flaw !== undefined) return `SurveyJS: ${flaw.message}`;
  const known = model.getAllQuestions().filter((question) => question.hasInput).length;
  if (known < count) return 'The quiz has questions of a type that SurveyJS does not know';
  marksOf(survey, {});
  scoreFullest(survey);
  return null;
}

/** Scores the longest possible answers, so that the check takes as long as scoring may take. */
function scoreFullest(survey: SurveyJson): void {
  try {
    marksOf(survey, fullestAnswers(survey));
  } catch {
    // These answers are artificial. Real answers that cannot be scored are refused when submitted (QUIZ-18).
  }
}

/**
 * Scores answers as survey-core does.
 *
 * - QUIZ-8 The score is the percentage that survey-core counts, rounded down: hidden questions do not count, rows of a
 *   matrix count one by one, and no answer is wrong. The score is null if nothing has a correct answer; such a quiz is
 *   passed if 0 is enough.
 */
export function marksOf(survey: SurveyJson, answers: SurveyAnswers): Marks {
  const model = open(survey);
  model.onIsAnswerCorrect.add((_, asked) => judgeOrder(asked));
  model.data = structuredClone(answers);
  const counted = { correct: model.getCorrectAnswerCount(), all: model.getQuizQuestionCount() };
  const questions = model
    .getAllQuestions()
    .filter((question) => question.hasInput && question.isVisible)
    .map((question) => ({
      vendor_question_uid: question.name,
      title: question.processedTitle.slice(0, longestTitle),
      answer: jsonOf(question.value),
      correct_answer: jsonOf(question.correctAnswer),
      is_correct:
        question.quizQuestionCount === 0 ? null : question.correctAnswerCount === question.quizQuestionCount,
    }));
  return { ...counted, score: scoreOf(counted), questions };
}

/**
 * Corrects the count of survey-core, which accepts any order of a ranking, and only one order of several pictures. The
 * questions' own `isAnswerCorrect` is right.
 */
function judgeOrder(asked: IsAnswerCorrectEvent): void {
  const { question } = asked;
  const isOrdered = question.getType() === 'ranking';
  const isSeveral = question.getType() === 'imagepicker' && question['multiSelect'] === true;
  if (isOrdered || isSeveral) asked.result = question.isAnswerCorrect();
}

function jsonOf(value: unknown): unknown {
  return value === undefined ? null : value;
}
