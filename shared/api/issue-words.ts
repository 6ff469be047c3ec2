import type { z } from 'zod';

/** Maximum number of choices that a message lists. */
const mostChoices = 20;

/**
 * Describes in plain English what is wrong with a value, for `safeParse(value, { error: issueWords })`. A message from
 * the schema itself takes precedence; undefined leaves the message to zod.
 */
export const issueWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'Is missing' : typeWords.get(issue.expected);
    case 'too_small':
      return sizeWords(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return sizeWords(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    case 'invalid_value':
      return issue.input === undefined ? 'Is missing' : choiceWords(issue.values);
    case 'invalid_union':
      return issue.input === undefined ? 'Is missing' : unionWords(issue.errors);
    case 'invalid_format':
      return formatWords.get(issue.format);
    default:
      return undefined;
  }
};

const typeWords: ReadonlyMap<string, string> = new Map([
  ['string', 'Must be text'],
  ['number', 'Must be a number'],
  ['int', 'Must be a whole number'],
  ['boolean', 'Must be true or false'],
  ['array', 'Must be a list'],
  ['object', 'Must be an object'],
  ['record', 'Must be an object'],
]);

/** "Must be text or a number": what the value of a union may be; undefined if not every one of them is a plain type. */
function unionWords(errors: readonly (readonly z.core.$ZodIssue[])[]): string | undefined {
  const words = errors.map(([issue]) =>
    issue?.code === 'invalid_type' && issue.path.length === 0 ? typeWords.get(issue.expected) : undefined,
  );
  const [first, ...others] = [...new Set(words)];
  if (first === undefined || others.includes(undefined)) return undefined;
  return [first, ...others.map((one) => one?.replace('Must be ', ''))].join(' or ');
}

const formatWords: ReadonlyMap<string, string> = new Map([
  ['email', 'Must be an e-mail address'],
  ['url', 'Must be a web address'],
]);

function sizeWords(origin: string, bound: number | bigint, compared: string): string | undefined {
  const plural = bound === 1 ? '' : 's';
  if (origin === 'number' || origin === 'int') return `Must be ${compared} ${bound}`;
  if (origin === 'string')
    return compared === 'at least' && bound === 1
      ? 'Must not be empty'
      : `Must have ${compared} ${bound} character${plural}`;
  if (origin === 'array') return `Must have ${compared} ${bound} ${bound === 1 ? 'entry' : 'entries'}`;
  return undefined;
}

function choiceWords(values: readonly unknown[]): string {
  const named = values.slice(0, mostChoices).map(String).join(', ');
  if (values.length === 1) return `Must be ${named}`;
  return `Must be one of ${named}${values.length > mostChoices ? ', …' : ''}`;
}
