/**
 * Limits on the cost of evaluating a quiz. survey-core makes an object of each question, compares each choice with all
 * others, and runs conditions again after each answer. Within these limits that takes at most a second or two.
 */
export const quizLimits = {
  /** Questions, including all that people may add in dynamic panels and rows. */
  questions: 1000,
  /** Choices of one question, listed or generated from numbers. */
  choices: 500,
  /** Rows times columns of a matrix when it is opened. */
  cells: 2000,
  /** Nesting depth of panels. */
  levels: 20,
  /** Conditions and computed values. */
  expressions: 500,
  /** Characters of one expression. */
  expressionCharacters: 2000,
  /** Nesting depth of brackets in one expression. */
  brackets: 32,
  /** Characters of all expressions; one in a dynamic panel or row counts as often as it may be repeated. */
  allExpressionCharacters: 100_000,
  /** Length of a chain of computed values, each computed from the one before. */
  chain: 100,
  /** Number of values that one is ultimately computed from: a chain of `{a} + {a}` doubles it at each step. */
  expansion: 1000,
  /** Placeholders for answers (`{name}`) in all texts. */
  placeholders: 1000,
} as const;
