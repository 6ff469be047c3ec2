import { invalid } from '#shared/api/problem.ts';
import type { SurveyAnswers, SurveyJson } from '#shared/model/quiz.ts';
import { isRecord, listOf } from '#shared/rules/quiz-survey.ts';

type Json = Record<string, unknown>;

/** survey-core makes a question of each of these, in seconds from some thousands on. */
const mostQuestions = 1000;
/** Choices that a question makes of numbers; survey-core compares each with all others. */
const mostChoices = 500;
/** What survey-core lets people add where the question says nothing. */
const defaultMost = { paneldynamic: 100, matrixdynamic: 1000 } as const;

/** 422, named by `field`, for a survey that would become so large that it keeps the server, or a device, from working. */
export function mustBeSmall(survey: SurveyJson, field: string): void {
  if (makesChoices(survey) > mostChoices)
    throw invalid(field, `A question makes at most ${mostChoices} choices of numbers (choicesMax)`);
  if (weightOf(survey) > mostQuestions)
    throw invalid(
      field,
      `With all that people may add, a quiz asks at most ${mostQuestions} questions (maxPanelCount, maxRowCount)`,
    );
}

/** 422 for answers that add more than the questions let people add: survey-core would make them all. */
export function mustFit(survey: SurveyJson, answers: SurveyAnswers): void {
  for (const element of elementsOf(survey)) checkAnswer(element, answers);
}

function checkAnswer(element: Json, answers: Json): void {
  const name = String(element['valueName'] ?? element['name']);
  const value = Object.hasOwn(answers, name) ? answers[name] : undefined;
  const most = mostEntries(element);
  if (most === null || !Array.isArray(value)) return;
  if (value.length > most) throw invalid('response_json', `${name} takes at most ${most} entries`);
  for (const entry of value.filter(isRecord))
    for (const inner of repeatedIn(element)) checkAnswer(inner, entry);
}

/** How many entries people may add to a question; null: it has none. */
function mostEntries(element: Json): number | null {
  const kind = element['type'];
  if (kind !== 'paneldynamic' && kind !== 'matrixdynamic') return null;
  const stated = Number(element[kind === 'paneldynamic' ? 'maxPanelCount' : 'maxRowCount']);
  return Number.isFinite(stated) && stated > 0 ? stated : defaultMost[kind];
}

/** The questions that each entry or row of a question asks again. */
function repeatedIn(element: Json): Json[] {
  const lists = [element['templateElements'], element['detailElements']].flatMap(listOf);
  return lists.filter(isRecord).flatMap(flat);
}

/** How many questions an element, or a survey, may come to ask. */
function weightOf(survey: SurveyJson): number {
  return sum(elementsOf(survey).map(weightOfElement));
}

function weightOfElement(element: Json): number {
  const inner = sum(repeatedIn(element).map(weightOfElement));
  return 1 + (mostEntries(element) ?? listOf(element['rows']).length) * inner;
}

function sum(values: number[]): number {
  return values.reduce((all, one) => all + one, 0);
}

function elementsOf(container: Json): Json[] {
  return [container, ...listOf(container['pages'])].filter(isRecord).flatMap(children);
}

function children(container: Json): Json[] {
  return listOf(container['elements'] ?? container['questions'])
    .filter(isRecord)
    .flatMap(flat);
}

/** A question, or those that a panel holds. */
function flat(element: Json): Json[] {
  return element['type'] === 'panel' ? children(element) : [element];
}

/** The most choices that anything in a survey makes of numbers. */
function makesChoices(value: unknown): number {
  if (Array.isArray(value)) return Math.max(0, ...value.map(makesChoices));
  if (!isRecord(value)) return 0;
  const [min, max, step] = ['choicesMin', 'choicesMax', 'choicesStep'].map((name) =>
    Number(value[name] ?? 0),
  );
  const own = ((max ?? 0) - (min ?? 0)) / (step !== undefined && step > 0 ? step : 1);
  return Math.max(Number.isNaN(own) ? 0 : own, ...Object.values(value).map(makesChoices));
}
