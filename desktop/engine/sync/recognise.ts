import { z } from 'zod';

import { problemBody } from '#shared/api/problem.ts';

/** Servers of protocol 5 give their refusals no code. */
const uncodedProblem = problemBody
  .omit({ code: true })
  .refine((body) => !('code' in body) && body.message === body.msg);
const refusalBody = z.union([problemBody, uncodedProblem]);
/** What the server says when it refuses. */
export type Refusal = z.output<typeof refusalBody>;

/** The refusal that a body holds; null when it is none of the server's. */
export function refusalIn(body: unknown): Refusal | null {
  return refusalBody.safeParse(body).data ?? null;
}

/**
 * Whether a body is what the contract promises. A newer server may add properties, and values to a closed list:
 * neither makes the body somebody else's.
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

/** The value of a JSON text; undefined when it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Longest excerpt of what somebody else said, characters. */
const longestExcerpt = 500;

/** What a page or another text says, in one line without markup. */
export function excerptOf(text: string): string {
  const words = text
    .replaceAll(/<(script|style)\b.*?<\/\1\s*>/gis, ' ')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/[\s\p{Cc}\u{FFFD}]+/gu, ' ')
    .trim();
  return words.slice(0, longestExcerpt);
}
