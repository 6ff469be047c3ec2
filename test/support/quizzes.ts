import { expect } from 'vitest';

import type { Quiz, QuizSession } from '#shared/model/quiz.ts';

import type { TestPerson } from './server.ts';

/** A question of one choice. */
export const lockQuestion = {
  type: 'radiogroup',
  name: 'lock',
  title: 'Whose?',
  choices: ['own', 'any'],
  correctAnswer: 'own',
};

export const tagQuestion = {
  type: 'boolean',
  name: 'tag',
  title: 'Is a tag enough?',
  correctAnswer: false,
};

/** Imports a quiz of one page as `author`. */
export async function importQuiz(
  author: TestPerson,
  elements: readonly object[],
  { title = 'Lockout', passing_score = 0 }: { title?: string; passing_score?: number } = {},
): Promise<Quiz> {
  const surveyjs = { pages: [{ name: 'p', elements }] };
  const answer = await author.call('POST', '/quizzes/import', { title, passing_score, surveyjs });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}

/** Saves or submits the answers of a person. */
export async function sendAnswers(
  verb: 'save' | 'submit',
  person: TestPerson,
  { quizid }: { quizid: number },
  response_json: object,
  more: object = {},
): Promise<QuizSession> {
  const answer = await person.call('POST', `/quizzes/sessions/${verb}`, { quizid, response_json, ...more });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}
