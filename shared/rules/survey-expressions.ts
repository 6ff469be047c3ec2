import { groupedBy } from '#shared/grouped-by.ts';
import type { SurveyJson } from '#shared/model/quiz.ts';

import { quizLimits } from './quiz-limits.ts';
import { nameOf, repeatedRecordsIn, sum } from './survey-elements.ts';

/** A condition or a computed value. */
interface Expression {
  text: string;
  /** The name of the record that it belongs to, for messages. */
  owner: string;
  /** The name under which other expressions refer to its result; null for a condition. */
  result: string | null;
  /** How often it may occur when people add all they may add. */
  times: number;
}

/** Whether a property of survey-core holds an expression: visibleIf, choicesEnableIf, setValueExpression … */
export function isExpressionProperty(name: string): boolean {
  return /(?:If|Expression)$/.test(name) || name === 'expression';
}

/** The properties whose result becomes the value of the record that they belong to. */
const valueProperties = new Set([
  'expression',
  'defaultValueExpression',
  'setValueExpression',
  'runExpression',
]);

/**
 * Why the expressions of a survey are refused: too many, too long, too deeply nested, or computed from too many values.
 * Null when they are within the limits.
 */
export function expressionFlaw(survey: SurveyJson): string | null {
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
  for (const { value, times } of repeatedRecordsIn(survey))
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner !== 'string' || !isExpressionProperty(name) || inner.trim() === '') continue;
      const target = value['setToName'] ?? value['name'];
      const result = valueProperties.has(name) && typeof target === 'string' ? target : null;
      found.push({ text: inner, owner: nameOf(value), result, times });
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

/**
 * The names that an expression refers to, repeated ones included: `{name}`, `{#name}`, `{panel.name}`, `{row.name}`.
 */
function referencesIn(text: string): string[] {
  return [...text.matchAll(/\{([^{}]*)\}/g)].map(([, inner = '']) =>
    inner.trim().replace(/^(?:[#$]|panel\.|row\.|prevPanel\.)+/, ''),
  );
}

/** The cost of a computed value. */
interface Effort {
  /** Number of values that it is ultimately computed from. */
  expansion: number;
  /** Length of the longest chain of computed values that ends in it. */
  chain: number;
}

/**
 * Follows references between computed values. A value is as large as all the values that it refers to together: 26
 * values that each use the one before twice make 67 million.
 */
function expansionFlaw(expressions: readonly Expression[]): string | null {
  const byName = groupedBy(
    expressions.filter(({ result }) => result !== null),
    ({ result }) => result ?? '',
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
    // Beyond the limit there is no need to look, and each level is a recursive call.
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
