import type { SurveyAnswers, SurveyJson } from '#shared/model/quiz.ts';

import { isCostlyPattern, mostPatternSteps, patternSteps } from './pattern-effort.ts';
import { isRecord, listOf } from './quiz-survey.ts';

type Json = Record<string, unknown>;

/**
 * What a quiz may ask of whoever evaluates it. survey-core makes an object of each question, compares each choice with
 * all others, and runs conditions again after each answer: within these limits that takes well under a second or two.
 */
export const quizLimits = {
  /** Questions, with all that people may add in panels and rows. */
  questions: 1000,
  /** Choices of a question, whether they are listed or made of numbers. */
  choices: 500,
  /** Rows times columns of a matrix as it is opened. */
  cells: 2000,
  /** Panels inside each other. */
  levels: 20,
  /** Conditions and values that are computed. */
  expressions: 500,
  /** Characters of one of them. */
  expressionCharacters: 2000,
  /** Brackets inside each other in one of them. */
  brackets: 32,
  /** Characters of all of them; one in a panel or row that repeats counts as often as it may come. */
  allExpressionCharacters: 100_000,
  /** How many computed values may follow from each other. */
  chain: 100,
  /** How many values one is computed from in the end: `{a} + {a}` in a row doubles each time. */
  expansion: 1000,
  /** Places in all texts into which answers are put: `{name}`. */
  placeholders: 1000,
} as const;

/** What survey-core lets people add where the question says nothing. */
const defaultMost = { paneldynamic: 100, matrixdynamic: 1000 } as const;

/**
 * What makes a survey too costly to evaluate, in words that name the value and the limit; null: nothing. Takes time in
 * proportion to the survey, whatever is in it.
 */
export function surveyFlaw(survey: SurveyJson): string | null {
  return sizeFlaw(survey) ?? expressionFlaw(survey) ?? textFlaw(survey);
}

function sizeFlaw(survey: SurveyJson): string | null {
  if (levelsOf(survey) > quizLimits.levels)
    return `Panels stand at most ${quizLimits.levels} deep inside each other`;
  for (const value of recordsIn(survey)) {
    if (madeChoices(value) > quizLimits.choices)
      return `${nameOf(value)} makes more than ${quizLimits.choices} choices of numbers (choicesMax)`;
    if (listOf(value['choices']).length > quizLimits.choices)
      return `${nameOf(value)} has more than ${quizLimits.choices} choices`;
    if (cellsOf(value) > quizLimits.cells)
      return `${nameOf(value)} has more than ${quizLimits.cells} cells (rows times columns)`;
  }
  if (weightOf(survey) > quizLimits.questions)
    return `With all that people may add, a quiz asks at most ${quizLimits.questions} questions (maxPanelCount, maxRowCount)`;
  return null;
}

/** What answers add beyond what the questions let people add, in words; null: nothing. */
export function answersFlaw(survey: SurveyJson, answers: SurveyAnswers): string | null {
  for (const element of elementsOf(survey)) {
    const flaw = answerFlaw(element, answers);
    if (flaw !== null) return flaw;
  }
  return null;
}

/** The most that people may answer to a survey within the limits: every list has all the entries that it takes. */
export function fullestAnswers(survey: SurveyJson): SurveyAnswers {
  return fullest(elementsOf(survey));
}

function fullest(elements: Json[]): Json {
  return Object.fromEntries(elements.map((element) => [valueNameOf(element), fullestValue(element)]));
}

function fullestValue(element: Json): unknown {
  const inner = [...repeatedIn(element), ...listOf(element['columns']).filter(isRecord)];
  const most = mostEntries(element);
  if (most !== null) return Array.from({ length: most }, () => fullest(inner));
  return element['correctAnswer'] ?? 'x';
}

function valueNameOf(element: Json): string {
  return String(element['valueName'] ?? element['name']);
}

function answerFlaw(element: Json, answers: Json): string | null {
  const name = valueNameOf(element);
  const value = Object.hasOwn(answers, name) ? answers[name] : undefined;
  const most = mostEntries(element);
  if (!Array.isArray(value)) return null;
  if (most === null)
    return value.length > quizLimits.questions
      ? `${name} takes at most ${quizLimits.questions} entries`
      : null;
  if (value.length > most) return `${name} takes at most ${most} entries`;
  for (const entry of value.filter(isRecord))
    for (const inner of repeatedIn(element)) {
      const flaw = answerFlaw(inner, entry);
      if (flaw !== null) return flaw;
    }
  return null;
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
  return 1 + timesOf(element) * inner;
}

function timesOf(element: Json): number {
  return mostEntries(element) ?? listOf(element['rows']).length;
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

/** How many choices one record makes of numbers. */
function madeChoices(value: Json): number {
  const [min, max, step] = ['choicesMin', 'choicesMax', 'choicesStep'].map((name) =>
    Number(value[name] ?? 0),
  );
  const made = ((max ?? 0) - (min ?? 0)) / (step !== undefined && step > 0 ? step : 1);
  return Number.isNaN(made) ? 0 : made;
}

/** The cells of a matrix before anybody adds a row. */
function cellsOf(value: Json): number {
  const columns = listOf(value['columns']).length;
  const stated = Number(value['rowCount'] ?? 1);
  // survey-core opens no more rows than people may add.
  const opened = Math.min(Number.isFinite(stated) ? stated : 1, mostEntries(value) ?? 1);
  return columns * Math.max(1, listOf(value['rows']).length, opened);
}

/** How deep lists of elements stand inside each other. */
function levelsOf(survey: SurveyJson): number {
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

/**
 * Names that SurveyJS would confuse with others, in words; null: none. It stores answers, questions and languages in
 * objects, and every object already has some names.
 */
export function nameFlaw(survey: SurveyJson): string | null {
  const taken = recordsIn(survey)
    .flatMap((value) => [value['name'], value['valueName'], value['locale']])
    .filter((name) => typeof name === 'string')
    .find((name) => name in Object.prototype);
  return taken === undefined ? null : `SurveyJS cannot read a name or language ${taken}`;
}

/** Every record of a survey, the survey itself first; without recursion, since stored surveys may be deep. */
function recordsIn(survey: SurveyJson): Json[] {
  const found: Json[] = [survey];
  for (let at = 0; at < found.length; at += 1)
    for (const value of Object.values(found[at] ?? {})) addRecords(value, found);
  return found;
}

function addRecords(value: unknown, found: Json[]): void {
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    if (isRecord(next)) found.push(next);
    else if (Array.isArray(next)) for (const inner of next) open.push(inner);
}

function nameOf(value: Json): string {
  const { name, value: stated } = value;
  const shown = typeof name === 'string' ? name : typeof stated === 'string' ? stated : 'A question';
  return shown.slice(0, 100);
}

/** A condition, or a value that is computed. */
interface Expression {
  text: string;
  /** What it belongs to, for people. */
  owner: string;
  /** The name that its result has in other expressions; null: it only decides. */
  gives: string | null;
  /** How often it comes with all that people may add. */
  times: number;
}

/** The properties of survey-core that hold expressions end so: visibleIf, choicesEnableIf, setValueExpression … */
const isExpressionProperty = (name: string): boolean =>
  /(?:If|Expression)$/.test(name) || name === 'expression';

/** The properties whose result becomes the value of what they belong to. */
const givesValue = new Set(['expression', 'defaultValueExpression', 'setValueExpression', 'runExpression']);

function expressionFlaw(survey: SurveyJson): string | null {
  const expressions = expressionsIn(survey);
  if (expressions.length > quizLimits.expressions)
    return `A quiz has at most ${quizLimits.expressions} expressions, this one has ${expressions.length}`;
  for (const { text, owner } of expressions) {
    if (text.length > quizLimits.expressionCharacters)
      return `The expression of ${owner} has more than ${quizLimits.expressionCharacters} characters`;
    if (bracketsOf(text) > quizLimits.brackets)
      return `The expression of ${owner} has more than ${quizLimits.brackets} brackets inside each other`;
  }
  if (sum(expressions.map(({ text, times }) => text.length * times)) > quizLimits.allExpressionCharacters)
    return `With all that people may add, the expressions of a quiz have at most ${quizLimits.allExpressionCharacters} characters`;
  return expansionFlaw(expressions);
}

function expressionsIn(survey: SurveyJson): Expression[] {
  const found: Expression[] = [];
  for (const { value, times } of timedRecordsIn(survey))
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner !== 'string' || !isExpressionProperty(name) || inner.trim() === '') continue;
      const target = value['setToName'] ?? value['name'];
      const gives = givesValue.has(name) && typeof target === 'string' ? target : null;
      found.push({ text: inner, owner: nameOf(value), gives, times });
    }
  return found;
}

/** Every record of a survey, and how often it comes with all that people may add. */
function timedRecordsIn(survey: SurveyJson): { value: Json; times: number }[] {
  const found: { value: Json; times: number }[] = [];
  const open: { value: unknown; times: number }[] = [{ value: survey, times: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, times } = next;
    if (Array.isArray(value)) for (const inner of value) open.push({ value: inner, times });
    if (!isRecord(value)) continue;
    found.push({ value, times });
    for (const [name, inner] of Object.entries(value)) {
      const repeats = name === 'templateElements' || name === 'detailElements' || name === 'columns';
      open.push({ value: inner, times: repeats ? times * Math.max(1, timesOf(value)) : times });
    }
  }
  return found;
}

function bracketsOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === '(' || character === '[') depth += 1;
    if (character === ')' || character === ']') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** What an expression refers to, as often as it does: `{name}`, `{#name}`, `{panel.name}`, `{row.name}`. */
function referencesIn(text: string): string[] {
  return [...text.matchAll(/\{([^{}]*)\}/g)].map(([, inner = '']) =>
    inner.trim().replace(/^(?:[#$]|panel\.|row\.|prevPanel\.)+/, ''),
  );
}

/** What a computed value costs: how many values it comes to in the end, and how many follow from each other. */
interface Effort {
  expansion: number;
  chain: number;
}

/**
 * What follows from what: a value that is computed from others is as large as they are together, so that 26 values, each
 * the one before twice, make 67 million.
 */
function expansionFlaw(expressions: readonly Expression[]): string | null {
  const byName = Map.groupBy(
    expressions.filter(({ gives }) => gives !== null),
    ({ gives }) => gives ?? '',
  );
  const efforts = new Map<string, Effort | 'open'>();
  const flaws: string[] = [];
  const effortOf = (name: string, depth: number): Effort => {
    const known = efforts.get(name);
    if (known === 'open') {
      flaws.push(`The expression of ${name.slice(0, 100)} refers to itself`);
      return { expansion: 1, chain: 0 };
    }
    if (known !== undefined) return known;
    const own = byName.get(name) ?? byName.get(name.split('.')[0] ?? '');
    // Deeper than the limit one need not look, and must not: each level is a call.
    if (own === undefined || depth > quizLimits.chain + 1)
      return { expansion: 1, chain: depth > quizLimits.chain ? 1 : 0 };
    efforts.set(name, 'open');
    const inner = own.flatMap(({ text }) => referencesIn(text)).map((one) => effortOf(one, depth + 1));
    const effort = {
      expansion: Math.max(1, sum(inner.map(({ expansion }) => expansion))),
      chain: 1 + inner.reduce((most, { chain }) => Math.max(most, chain), 0),
    };
    if (effort.expansion > quizLimits.expansion)
      flaws.push(
        `${name.slice(0, 100)} is computed from more than ${quizLimits.expansion} values, each counted as often as it is used`,
      );
    else if (effort.chain > quizLimits.chain)
      flaws.push(
        `${name.slice(0, 100)} comes after more than ${quizLimits.chain} values that follow from each other`,
      );
    efforts.set(name, effort);
    return effort;
  };
  for (const name of byName.keys()) {
    effortOf(name, 0);
    if (flaws[0] !== undefined) return flaws[0];
  }
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
 * What would block a device while it checks answers against the patterns of validators, in words; null: nothing.
 * Devices skip single patterns of that kind.
 */
export function patternFlaw(survey: SurveyJson): string | null {
  let steps = 0;
  for (const { value, times } of timedRecordsIn(survey)) {
    const regex = value['regex'] ?? '';
    if (typeof regex !== 'string') return `The pattern of a validator must be a text (regex)`;
    if (isCostlyPattern(regex))
      return `The pattern of a validator has repeats or alternatives inside repeats, or too many of them, and could take forever to try: ${regex.slice(0, 100)}`;
    steps += patternSteps(regex) * times;
  }
  if (steps <= mostPatternSteps.all) return null;
  return 'With everything that people may add, the patterns of validators take too long to try: write simpler ones, or let people add less (maxPanelCount, maxRowCount)';
}
