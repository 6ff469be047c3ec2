import { z } from 'zod';

import { problemBody } from '#shared/api/problem-body.ts';

/** Refusals of servers of protocol 5 have no code. */
const uncodedProblem = problemBody
  .omit({ code: true })
  .refine((body) => !('code' in body) && body.message === body.msg);
const refusalBody = z.union([problemBody, uncodedProblem]);
/** The body of a refusal of the server. */
export type Refusal = z.output<typeof refusalBody>;

/** The refusal in a body; null if the body is not a refusal of the server. */
export function refusalIn(body: unknown): Refusal | null {
  return refusalBody.safeParse(body).data ?? null;
}

/**
 * Whether a body fits the contract. A newer server may add properties, and values to closed lists; such a body still
 * counts as the server's.
 */
export function recognises(schema: z.ZodType, body: unknown): boolean {
  const parsed = schema.safeParse(body);
  return parsed.success || parsed.error.issues.every(isAddition);
}

function isAddition(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'unrecognized_keys') return true;
  if (issue.code === 'invalid_value') return issue.values.length > 1;
  if (issue.code !== 'invalid_union') return false;
  return issue.errors.some((branch) => branch.length > 0 && branch.every(isAddition));
}

/** The value of a JSON text; undefined if the text is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Longest excerpt of a foreign answer, characters. */
const longestExcerpt = 500;

/** The text of a page or another answer, in one line without markup, cut off at the longest excerpt. */
export function excerptOf(text: string): string {
  const words = text
    .replaceAll(/<(script|style)\b.*?<\/\1\s*>/gis, ' ')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/[\s\p{Cc}\u{FFFD}]+/gu, ' ')
    .trim();
  return words.slice(0, longestExcerpt);
}
