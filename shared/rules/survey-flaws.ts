import type { SurveyJson } from '#shared/model/quiz.ts';

import { isCostlyPattern, mostPatternSteps, patternSteps } from './pattern-effort.ts';
import { quizLimits } from './quiz-limits.ts';
import { listOf } from './quiz-survey.ts';
import {
  maximumEntries,
  nameOf,
  nestingDepth,
  questionCount,
  recordsIn,
  repeatedRecordsIn,
  type SurveyRecord,
} from './survey-elements.ts';
import { expressionFlaw, isExpressionProperty } from './survey-expressions.ts';

/**
 * Why a survey is too costly to evaluate, in words that name the value and the limit; null when it is not. Takes time
 * proportional to the size of the survey.
 */
export function surveyFlaw(survey: SurveyJson): string | null {
  return sizeFlaw(survey) ?? expressionFlaw(survey) ?? textFlaw(survey);
}

function sizeFlaw(survey: SurveyJson): string | null {
  if (nestingDepth(survey) > quizLimits.levels)
    return `Panels stand at most ${quizLimits.levels} deep inside each other`;
  for (const value of recordsIn(survey)) {
    if (generatedChoices(value) > quizLimits.choices)
      return `${nameOf(value)} makes more than ${quizLimits.choices} choices of numbers (choicesMax)`;
    if (listOf(value['choices']).length > quizLimits.choices)
      return `${nameOf(value)} has more than ${quizLimits.choices} choices`;
    if (cellsOf(value) > quizLimits.cells)
      return `${nameOf(value)} has more than ${quizLimits.cells} cells (rows times columns)`;
  }
  if (questionCount(survey) > quizLimits.questions)
    return `With all that people may add, a quiz asks at most ${quizLimits.questions} questions (maxPanelCount, maxRowCount)`;
  return null;
}

function textFlaw(survey: SurveyJson): string | null {
  let placeholders = 0;
  for (const value of recordsIn(survey))
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner !== 'string' || isExpressionProperty(name)) continue;
      placeholders += [...inner.matchAll(/\{[^{}]+\}/g)].length;
      if (placeholders > quizLimits.placeholders)
        return `The texts of a quiz have at most ${quizLimits.placeholders} places for answers ({name})`;
    }
  return null;
}

/**
 * Why the names in a survey are refused: SurveyJS stores answers, questions and languages as properties of objects, so
 * a name such as `constructor` collides with an inherited property. Null when no name does.
 */
export function nameFlaw(survey: SurveyJson): string | null {
  const taken = recordsIn(survey)
    .flatMap((value) => [value['name'], value['valueName'], value['locale']])
    .filter((name) => typeof name === 'string')
    .find((name) => name in Object.prototype);
  return taken === undefined ? null : `SurveyJS cannot read a name or language ${taken}`;
}

/**
 * Why the patterns of validators are refused: checking answers against them could block a device. Null when it cannot.
 * Devices skip single patterns of that kind.
 */
export function patternFlaw(survey: SurveyJson): string | null {
  let steps = 0;
  for (const { value, times } of repeatedRecordsIn(survey)) {
    const regex = value['regex'] ?? '';
    if (typeof regex !== 'string') return `The pattern of a validator must be a text (regex)`;
    if (isCostlyPattern(regex))
      return `The pattern of a validator has repeats or alternatives inside repeats, or too many of them, and could take forever to try: ${regex.slice(0, 100)}`;
    steps += patternSteps(regex) * times;
  }
  if (steps <= mostPatternSteps.all) return null;
  return 'With everything that people may add, the patterns of validators take too long to try: write simpler ones, or let people add less (maxPanelCount, maxRowCount)';
}

/** The number of choices that a record generates from numbers. */
function generatedChoices(value: SurveyRecord): number {
  const [min, max, step] = ['choicesMin', 'choicesMax', 'choicesStep'].map((name) =>
    Number(value[name] ?? 0),
  );
  const count = ((max ?? 0) - (min ?? 0)) / (step !== undefined && step > 0 ? step : 1);
  return Number.isNaN(count) ? 0 : count;
}

/** The number of cells of a matrix before anybody adds a row. */
function cellsOf(value: SurveyRecord): number {
  const columns = listOf(value['columns']).length;
  const stated = Number(value['rowCount'] ?? 1);
  // survey-core opens no more rows than people may add.
  const opened = Math.min(Number.isFinite(stated) ? stated : 1, maximumEntries(value) ?? 1);
  return columns * Math.max(1, listOf(value['rows']).length, opened);
}
