import type { SurveyJson } from '#shared/model/quiz.ts';

/** A survey of some hundred characters whose last value has two to the power of `values` parts. */
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

/** A survey whose values follow from each other. */
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
