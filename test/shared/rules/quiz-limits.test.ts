import { expect, test } from 'vitest';

import type { SurveyJson } from '#shared/model/quiz.ts';
import { isCostlyPattern, mostPatternSteps, patternSteps } from '#shared/rules/pattern-effort.ts';
import { quizLimits } from '#shared/rules/quiz-limits.ts';
import { answersFlaw } from '#shared/rules/survey-answers.ts';
import { patternFlaw, surveyFlaw } from '#shared/rules/survey-flaws.ts';

const question = { type: 'text', name: 'q', correctAnswer: 'x' };
const page = (elements: object[], more: object = {}): SurveyJson => ({ ...more, pages: [{ elements }] });
const many = (count: number, make: (n: number) => object): object[] =>
  Array.from({ length: count }, (_, n) => make(n));
const values = (count: number, make: (n: number) => string): SurveyJson =>
  page([question], { calculatedValues: many(count, (n) => ({ name: `v${n}`, expression: make(n) })) });
const nested = (levels: number): object =>
  levels === 0 ? question : { type: 'panel', name: `p${levels}`, elements: [nested(levels - 1)] };

test.each<[string, SurveyJson, RegExp]>([
  [
    'values that double',
    values(26, (n) => (n === 0 ? '1' : `{v${n - 1}} + {v${n - 1}}`)),
    /v10 .*1000 values/,
  ],
  [
    'questions that double',
    page(many(26, (n) => ({ type: 'expression', name: `v${n}`, expression: `{v${n - 1}} + {v${n - 1}}` }))),
    /1000 values/,
  ],
  [
    'answers that double',
    page(many(26, (n) => ({ ...question, name: `v${n}`, setValueExpression: `{v${n - 1}}{v${n - 1}}` }))),
    /1000 values/,
  ],
  ['1,500 chained values', values(1500, (n) => `{v${n - 1}} + 1`), /500 expressions, this one has 1500/],
  ['chained values', values(400, (n) => `{v${n - 1}} + 1`), /100 values that follow/],
  ['a value that depends on itself', values(2, (n) => `{v${1 - n}} + 1`), /refers to itself/],
  [
    'a trigger that changes its own input',
    page([question], { triggers: [{ type: 'runexpression', runExpression: '{q}{q}', setToName: 'q' }] }),
    /q refers to itself/,
  ],
  ['a long condition', page([{ ...question, visibleIf: 'a'.repeat(2001) }]), /of q has more than 2000/],
  ['brackets', page([{ ...question, enableIf: `${'('.repeat(33)}1${')'.repeat(33)}` }]), /32 brackets/],
  ['many conditions', page(many(501, (n) => ({ ...question, name: `q${n}`, requiredIf: '1' }))), /500 expr/],
  [
    'conditions in repeated panels',
    page([
      {
        type: 'paneldynamic',
        name: 'a',
        templateElements: many(9, (n) => ({ ...question, name: `q${n}`, visibleIf: 'b'.repeat(200) })),
      },
    ]),
    /100000 characters/,
  ],
  ['placeholders in texts', page([{ ...question, title: '{q}'.repeat(1001) }]), /1000 places/],
  [
    'choices',
    page([{ ...question, type: 'ranking', choices: many(501, (n) => ({ value: n })) }]),
    /500 choices/,
  ],
  [
    'columns',
    page([{ type: 'matrixdropdown', name: 'm', rows: [1], columns: many(2001, (n) => ({ name: `c${n}` })) }]),
    /m has more than 2000 cells/,
  ],
  ['nested panels', page([nested(30)]), /20 deep/],
  [
    'a pattern with endless backtracking',
    page([{ ...question, validators: [{ type: 'regex', regex: '^(a+)+$' }] }]),
    /pattern .*\(a\+\)\+/,
  ],
])('QUIZ-17 a survey with %s exceeds the limits', (_name, survey, words) => {
  expect(surveyFlaw(survey) ?? patternFlaw(survey)).toMatch(words);
});

test('QUIZ-17 surveys that authors write are within the limits', () => {
  const lines = many(200, (n) => ({
    ...question,
    name: `q${n}`,
    title: `{panelIndex}. As in {q${Math.max(0, n - 1)}}`,
    visibleIf: `({q0} = 1 or {q0} = 2) and {q${Math.max(0, n - 1)}} notempty`,
  }));
  expect(surveyFlaw(page(lines))).toBeNull();
  expect(surveyFlaw(values(10, (n) => (n === 0 ? '{q}' : `{v${n - 1}} + {q} + {q}`)))).toBeNull();
  expect(surveyFlaw(page([nested(10)]))).toBeNull();
  expect(
    surveyFlaw(page([{ ...question, setValueIf: '{q} > 1', defaultValueExpression: 'today()' }])),
  ).toBeNull();
});

test('QUIZ-17 an answer adds no more than its question allows', () => {
  const survey = page([
    { type: 'paneldynamic', name: 'a', maxPanelCount: 2, templateElements: [question] },
    { type: 'checkbox', name: 'b', choices: [1, 2] },
  ]);
  expect(answersFlaw(survey, { a: [{}, {}, {}] })).toMatch(/a takes at most 2/);
  expect(answersFlaw(survey, { b: Array.from({ length: quizLimits.questions + 1 }, () => 1) })).toMatch(
    /b takes/,
  );
  expect(answersFlaw(survey, { a: [{}, {}], b: [1] })).toBeNull();
});

test.each([
  '(a+)+$',
  '(a|a)*b',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(?:a?){50}a{50}',
  '^((a?){30}){30}b$',
  '(x+x+)+y',
  String.raw`(.)\1*\1*\1*`,
  '.*.*.*.*.*x',
  `${'a?'.repeat(30)}${'a'.repeat(30)}`,
  '(a|b)'.repeat(40),
  `^${'(a|a)'.repeat(28)}b$`,
  `^${'a?'.repeat(26)}b$`,
  // Each alternative is long.
  `^${'(a|a)'.repeat(18)}(?=a{190})b$`,
  // A lookahead consumes no text.
  '^(?:(?:(?=a){1000}){1000}){1000}b',
  // An engine reads this as {0,}.
  '^(?:a+){0,9999999999}$',
  `^(?:a+){${'0'.repeat(30)}1,}$`,
  `a{${'9'.repeat(400)},}`,
  // Only the first alternative is anchored.
  `^a|${'(?:a|a)'.repeat(14)}b`,
  '^a*a*(?<=ba*a*)c$',
])('QUIZ-17 the pattern %s is costly', (pattern) => {
  expect(isCostlyPattern(pattern)).toBe(true);
});

test.each([
  String.raw`^\d{3}-\d{4}$`,
  String.raw`^[^@\s]+@[^@\s]+\.[^@\s]+$`,
  String.raw`^\+?\d{1,3}[-\s]?\(?\d{3}\)?[-\s]?\d{3}[-\s]?\d{4}$`,
  String.raw`[^@\s]+@[^@\s]+\.[^@\s]+`,
  '^.*torque.*$',
  '.*torque.*',
  '^(?:M4|M5|M6|M8|M10|M12)x[0-9]+$',
  String.raw`^[A-Z]{2}\d+(?:[.,]\d+)?$`,
  '[*+]{2}',
  '[bad',
  ')',
  '',
])('QUIZ-17 the pattern %s is not', (pattern) => {
  expect(isCostlyPattern(pattern)).toBe(false);
});

/** Counts the backtracking steps of a pattern of these parts that fails on a text of `a`, like an engine. */
function stepsTaken(parts: readonly ('a' | 'a?' | 'a*' | '(a|a)' | 'b')[], length: number): number {
  let steps = 0;
  const from = (part: number, at: number): void => {
    steps += 1;
    const kind = parts[part];
    const isThere = at < length;
    if (kind === 'a' && isThere) from(part + 1, at + 1);
    if (kind === 'a?' || kind === 'a*') {
      const most = kind === 'a?' ? Math.min(1, length - at) : length - at;
      for (let times = most; times >= 0; times -= 1) {
        steps += times === 0 ? 0 : 1;
        from(part + 1, at + times);
      }
    }
    for (let way = 0; kind === '(a|a)' && isThere && way < 2; way += 1) from(part + 1, at + 1);
  };
  from(0, 0);
  return steps;
}

test('QUIZ-17 no accepted pattern makes a device run more than the steps of a tenth of a second', () => {
  // About 10 ns each.
  expect(mostPatternSteps.one).toBeLessThanOrEqual(10_000_000);
  expect(mostPatternSteps.all).toBeLessThanOrEqual(100_000_000);
  for (const part of ['a?', 'a*', '(a|a)'] as const) {
    const written = (times: number): string => `^${part.repeat(times)}b`;
    const most = Array.from({ length: 40 }, (_, n) => n).findLast((n) => !isCostlyPattern(written(n))) ?? 0;
    expect(most).toBeGreaterThan(1);
    // The estimate is at least the real number of steps, for as many repetitions as can be tested here.
    const tried = Math.min(most, part === 'a*' ? 2 : 12);
    const parts = [...Array.from({ length: tried }, () => part), 'b' as const];
    expect(patternSteps(written(tried))).toBeGreaterThanOrEqual(stepsTaken(parts, 200));
    expect(patternSteps(written(most))).toBeLessThanOrEqual(mostPatternSteps.one);
  }
});

test('QUIZ-17 the patterns of a quiz are counted together, and as often as people may add their question', () => {
  const validators = [{ type: 'regex', regex: String.raw`^[^@\s]+@[^@\s]+\.[^@\s]+$` }];
  const mail = { ...question, validators };
  const list = (maxPanelCount: number): SurveyJson =>
    page([{ type: 'paneldynamic', name: 'l', maxPanelCount, templateElements: [mail] }]);
  expect(patternFlaw(page([mail, { ...mail, name: 'q2' }]))).toBeNull();
  expect(patternFlaw(list(10))).toBeNull();
  expect(patternFlaw(list(1000))).toMatch(/patterns of validators take too long .*maxPanelCount/);
  expect(patternFlaw(page([{ ...question, validators: [{ type: 'regex', regex: ['(a+)+$'] }] }]))).toMatch(
    /must be a text/,
  );
});
