import type { SurveyJson } from '#shared/model/quiz.ts';

import { isRecord, listOf } from './quiz-survey.ts';

/** An object of a survey: the survey itself, a page, a panel, a question, a validator … */
export type SurveyRecord = Record<string, unknown>;

/** How many entries survey-core lets people add when the question sets no maximum. */
const defaultMaximum = { paneldynamic: 100, matrixdynamic: 1000 } as const;

/** The questions of a survey or panel in order, those inside panels included; dynamic panels are not opened. */
export function elementsOf(container: SurveyRecord): SurveyRecord[] {
  return [container, ...listOf(container['pages'])].filter(isRecord).flatMap(children);
}

function children(container: SurveyRecord): SurveyRecord[] {
  return listOf(container['elements'] ?? container['questions'])
    .filter(isRecord)
    .flatMap(questionsOfElement);
}

/** A question, or the questions inside a panel. */
function questionsOfElement(element: SurveyRecord): SurveyRecord[] {
  return element['type'] === 'panel' ? children(element) : [element];
}

/** The questions that each entry of a dynamic panel, or each row of a matrix, asks again. */
export function repeatedIn(element: SurveyRecord): SurveyRecord[] {
  const lists = [element['templateElements'], element['detailElements']].flatMap(listOf);
  return lists.filter(isRecord).flatMap(questionsOfElement);
}

/** The maximum number of entries that people may add to a question; null when it has no entries. */
export function maximumEntries(element: SurveyRecord): number | null {
  const kind = element['type'];
  if (kind !== 'paneldynamic' && kind !== 'matrixdynamic') return null;
  const stated = Number(element[kind === 'paneldynamic' ? 'maxPanelCount' : 'maxRowCount']);
  return Number.isFinite(stated) && stated > 0 ? stated : defaultMaximum[kind];
}

/** How often the inner questions of an element may be asked: its maximum of entries, else its number of rows. */
export function repetitionsOf(element: SurveyRecord): number {
  return maximumEntries(element) ?? listOf(element['rows']).length;
}

/** The number of questions that a survey asks at most, with everything that people may add. */
export function questionCount(survey: SurveyJson): number {
  return sum(elementsOf(survey).map(questionCountOfElement));
}

function questionCountOfElement(element: SurveyRecord): number {
  const inner = sum(repeatedIn(element).map(questionCountOfElement));
  return 1 + repetitionsOf(element) * inner;
}

/** The nesting depth of lists of elements; 0 for a survey without any. */
export function nestingDepth(survey: SurveyJson): number {
  const open: { value: unknown; level: number }[] = [{ value: survey, level: 0 }];
  let deepest = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, level } = next;
    if (!isRecord(value)) continue;
    deepest = Math.max(deepest, level);
    for (const name of ['pages', 'elements', 'questions', 'templateElements', 'detailElements'])
      for (const inner of listOf(value[name])) open.push({ value: inner, level: level + 1 });
  }
  return deepest;
}

/** Every record of a survey, the survey itself first. Not recursive, because stored surveys may be deeply nested. */
export function recordsIn(survey: SurveyJson): SurveyRecord[] {
  const found: SurveyRecord[] = [survey];
  for (let at = 0; at < found.length; at += 1)
    for (const value of Object.values(found[at] ?? {})) addRecords(value, found);
  return found;
}

function addRecords(value: unknown, found: SurveyRecord[]): void {
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    if (isRecord(next)) found.push(next);
    else if (Array.isArray(next)) for (const inner of next) open.push(inner);
}

/** Every record of a survey, with the number of times that it may occur when people add all they may add. */
export function repeatedRecordsIn(survey: SurveyJson): { value: SurveyRecord; times: number }[] {
  const found: { value: SurveyRecord; times: number }[] = [];
  const open: { value: unknown; times: number }[] = [{ value: survey, times: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, times } = next;
    if (Array.isArray(value)) for (const inner of value) open.push({ value: inner, times });
    if (!isRecord(value)) continue;
    found.push({ value, times });
    for (const [name, inner] of Object.entries(value)) {
      const repeats = name === 'templateElements' || name === 'detailElements' || name === 'columns';
      open.push({ value: inner, times: repeats ? times * Math.max(1, repetitionsOf(value)) : times });
    }
  }
  return found;
}

/** The name of a record for messages to people, at most 100 characters. */
export function nameOf(value: SurveyRecord): string {
  const { name, value: stated } = value;
  const shown = typeof name === 'string' ? name : typeof stated === 'string' ? stated : 'A question';
  return shown.slice(0, 100);
}

/** The sum of some numbers. */
export function sum(values: number[]): number {
  return values.reduce((all, one) => all + one, 0);
}
