import { invalid } from '#shared/api/problem.ts';
import type { SurveyJson } from '#shared/model/quiz.ts';
import { nameFlaw, patternFlaw, surveyFlaw } from '#shared/rules/survey-flaws.ts';
import { questionsOf } from '#shared/rules/quiz-survey.ts';
import type { Context } from '#server/core/context.ts';

/** A quiz larger than this, in characters of JSON, is refused: guides carry it to every device. */
const mostCharacters = 200_000;
const mostQuestions = 500;

/**
 * 422, named by `field`, for what is no quiz that SurveyJS reads, that could not be taken offline (QUIZ-2), or that would keep
 * a device or the server from other work (QUIZ-17).
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
