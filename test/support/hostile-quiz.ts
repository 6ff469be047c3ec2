import type { SurveyJson } from '#shared/model/quiz.ts';

/** A short survey whose last value has 2 to the power of `values` parts. */
export function doublingSurvey(values: number): SurveyJson {
  return {
    title: 'Doubling',
    calculatedValues: Array.from({ length: values }, (_, n) => ({
      name: `v${n}`,
      expression: n === 0 ? "'abcdefghij'" : `{v${n - 1}} + {v${n - 1}}`,
    })),
    pages: [{ elements: [{ type: 'text', name: 'q', correctAnswer: 'x' }] }],
  };
}

/** A survey in which each value depends on the previous one. */
export function chainedSurvey(values: number): SurveyJson {
  return {
    title: 'Chain',
    calculatedValues: Array.from({ length: values }, (_, n) => ({
      name: `v${n}`,
      expression: n === 0 ? '{q}' : `{v${n - 1}} + 1`,
    })),
    pages: [{ elements: [{ type: 'text', name: 'q', correctAnswer: 'x' }] }],
  };
}
