import { expect, test } from 'vitest';
import { z } from 'zod';

import { issueWords } from '#shared/api/issue-words.ts';

const many = Array.from({ length: 30 }, (_, at) => `k${at}`);

test.for<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'Is missing'],
  [z.string(), 7, 'Must be text'],
  [z.number(), 'x', 'Must be a number'],
  [z.int(), 1.5, 'Must be a whole number'],
  [z.boolean(), 'yes', 'Must be true or false'],
  [z.array(z.string()), {}, 'Must be a list'],
  [z.object({}), [], 'Must be an object'],
  [z.string().min(1), '', 'Must not be empty'],
  [z.string().min(10), 'short', 'Must have at least 10 characters'],
  [z.string().max(1), 'long', 'Must have at most 1 character'],
  [z.int().min(1), 0, 'Must be at least 1'],
  [z.number().positive(), 0, 'Must be more than 0'],
  [z.int().max(65_535), 65_536, 'Must be at most 65535'],
  [z.number().lt(5), 5, 'Must be less than 5'],
  [z.array(z.string()).min(1), [], 'Must have at least 1 entry'],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], 'Must have at most 2 entries'],
  [z.enum(['a', 'b']), 'c', 'Must be one of a, b'],
  [z.enum(['a', 'b']), undefined, 'Is missing'],
  [z.literal('a'), 'b', 'Must be a'],
  [z.enum(many), 'x', `Must be one of ${many.slice(0, 20).join(', ')}, …`],
  [z.union([z.string(), z.int()]), undefined, 'Is missing'],
  [z.union([z.string(), z.int()]), {}, 'Must be text or a number'],
  [z.email(), 'nobody', 'Must be an e-mail address'],
  [z.url(), 'nowhere', 'Must be a web address'],
  [z.string('Give a name'), 7, 'Give a name'],
  [z.string().regex(/^a/, 'Begins with a'), 'b', 'Begins with a'],
])('flaws are reported in plain words, case %#', ([schema, value, words]) => {
  const { error } = schema.safeParse(value, { error: issueWords });
  expect(error?.issues.map(({ message }) => message)).toEqual([words]);
});
