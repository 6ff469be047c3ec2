import { invalid } from '#shared/api/problem.ts';
import type { SurveyJson } from '#shared/model/quiz.ts';
import { nameFlaw, patternFlaw, surveyFlaw } from '#shared/rules/survey-flaws.ts';
import { questionsOf } from '#shared/rules/quiz-survey.ts';
import type { Context } from '#server/core/context.ts';

/** Most characters of a quiz as JSON, because guides carry it to every device. */
const mostCharacters = 200_000;
const mostQuestions = 500;

/**
 * Throws 422, named by `field`, for an invalid or too costly survey.
 *
 * - QUIZ-2 An import is a survey that SurveyJS can read: questions of known types, each with a unique name, and
 *   self-contained (no `choicesByUrl`). It is scored once without answers, to make sure that it can be submitted. No
 *   question, value or language can have a name that every object has (`constructor`), because SurveyJS stores them in
 *   objects. The body contains the survey in `surveyjs` or `json`, or is the survey itself. An invalid survey is 422
 *   and names the field; nothing is stored.
 * - QUIZ-17 The cost of evaluating a quiz is limited when it is stored (`shared/rules/quiz-limits.ts`): questions with
 *   everything that people may add, choices, cells, levels; expressions, by their number, length and brackets, and by
 *   the number of values that one is ultimately computed from; placeholders in texts; and the steps needed to try the
 *   patterns of validators, about 0.1 s for one and 1 s for all. A quiz beyond a limit is 422, with the value and the
 *   limit. So is a quiz that cannot be scored, with all the entries that people may add, within half of the budget of
 *   QUIZ-18: a stored quiz can be submitted on a slower day too. Answers cannot add more than a question allows. The
 *   app does not open a quiz beyond the limits, and does not try costly patterns or long texts.
 */
export async function checkSurvey(ctx: Context, survey: SurveyJson, field: string): Promise<void> {
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
  const { scoring } = ctx.services;
  const flaw =
    nameFlaw(survey) ??
    surveyFlaw(survey) ??
    patternFlaw(survey) ??
    (await scoring.flaw(ctx.viewer.userid, survey, names.length, field));
  if (flaw !== null) throw invalid(field, flaw);
}

function mentions(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => key === name || mentions(inner, name));
}
