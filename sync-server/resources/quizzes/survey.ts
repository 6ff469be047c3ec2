import type { IsAnswerCorrectEvent, SurveyModel } from 'survey-core';

import { invalid } from '#shared/api/problem.ts';
import { questionsOf, scoreOf } from '#shared/rules/quiz-survey.ts';
import type { AnsweredQuestion, SurveyAnswers, SurveyJson } from '#shared/model/quiz.ts';

import { mustBeSmall } from './survey-size.ts';

/** A quiz larger than this, in characters of JSON, is refused: guides carry it to every device. */
const mostCharacters = 200_000;
const mostQuestions = 500;

/** survey-core takes half a second and tens of megabytes to load: only a server that has quizzes pays for it. */
async function open(survey: SurveyJson): Promise<SurveyModel> {
  const { Model } = await import('survey-core');
  return new Model(structuredClone(survey));
}

/** 422, named by `field`, for what is no quiz that SurveyJS reads, or that could not be taken offline (Q2). */
export async function checkSurvey(survey: SurveyJson, field: string): Promise<void> {
  if (JSON.stringify(survey).length > mostCharacters)
    throw invalid(field, `A quiz has at most ${mostCharacters} characters`);
  if (mentions(survey, 'choicesByUrl'))
    throw invalid(field, 'Choices must be in the quiz: it is taken without a network (choicesByUrl)');
  const names = questionsOf(survey).map((question) => question['name']);
  if (names.length === 0) throw invalid(field, 'The quiz has no questions');
  if (names.length > mostQuestions) throw invalid(field, `A quiz has at most ${mostQuestions} questions`);
  names.forEach((name, index) => {
    if (typeof name !== 'string' || name === '')
      throw invalid(field, `Question ${index + 1} has no name`, index);
    if (names.indexOf(name) !== index) throw invalid(field, `Two questions have the name ${name}`, index);
  });
  mustBeSmall(survey, field);
  await checkModel(survey, field, names.length);
}

/** What survey-core itself says; it leaves elements of unknown types out. */
async function checkModel(survey: SurveyJson, field: string, count: number): Promise<void> {
  const model = await open(survey);
  const flaws = model.jsonErrors ?? [];
  const flaw = flaws.find((one) => one.type !== 'unknownproperty');
  if (flaw !== undefined) throw invalid(field, `SurveyJS: ${flaw.message}`);
  const known = model.getAllQuestions().filter((question) => question.hasInput).length;
  if (known < count) throw invalid(field, 'The quiz has questions of a type that SurveyJS does not know');
}

function mentions(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => key === name || mentions(inner, name));
}

/** What answers to a quiz are worth: by survey-core, for every kind of question that it scores. */
export interface Marks {
  correct: number;
  all: number;
  score: number | null;
  questions: AnsweredQuestion[];
}

/** Scores answers as survey-core does (Q8). Hidden questions do not count, rows of a matrix count one by one. */
export async function markAnswers(survey: SurveyJson, answers: SurveyAnswers): Promise<Marks> {
  const model = await open(survey);
  model.onIsAnswerCorrect.add((_, asked) => judgeOrder(asked));
  model.data = structuredClone(answers);
  const counted = { correct: model.getCorrectAnswerCount(), all: model.getQuizQuestionCount() };
  const questions = model
    .getAllQuestions()
    .filter((question) => question.hasInput && question.isVisible)
    .map((question) => ({
      vendor_question_uid: question.name,
      title: question.processedTitle,
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
