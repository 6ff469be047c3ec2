import { Model, type IsAnswerCorrectEvent, type SurveyModel } from 'survey-core';

import type { AnsweredQuestion, SurveyAnswers, SurveyJson } from '#shared/model/quiz.ts';
import { fullestAnswers } from '#shared/rules/survey-answers.ts';
import { scoreOf } from '#shared/rules/quiz-survey.ts';

/** What answers to a quiz are worth: by survey-core, for every kind of question that it scores. */
export interface Marks {
  correct: number;
  all: number;
  score: number | null;
  questions: AnsweredQuestion[];
}

/** Longest title in results, in UTF-16 code units: answers that stand in it may be of any length. */
const longestTitle = 5000;

function open(survey: SurveyJson): SurveyModel {
  return new Model(structuredClone(survey));
}

/**
 * What survey-core rejects in a survey with this many questions (it omits elements of unknown types); null: nothing.
 * Throws its error for a survey that it cannot read, or cannot score without answers, which could never be handed in.
 * Takes as long as the longest possible answers take.
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

/** Takes as long as the answers of people may take. */
function scoreFullest(survey: SurveyJson): void {
  try {
    marksOf(survey, fullestAnswers(survey));
  } catch {
    // These answers are made up: real ones that cannot be scored are refused when handed in (QUIZ-18).
  }
}

/** Scores answers as survey-core does (QUIZ-8). Hidden questions do not count, rows of a matrix count one by one. */
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
 * The count of survey-core takes any order of a ranking, and only one order of several pictures. Its questions know
 * better (`isAnswerCorrect`), so they are asked.
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
