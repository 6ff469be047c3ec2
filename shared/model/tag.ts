import { z } from 'zod';

/** Prefixes that stand for what a record itself says; tags of people cannot begin with them (API facts 3). */
export const reservedTagPrefixes = ['device:', 'product:', 'lang:', 'source:', 'system:'] as const;

/** Longest tag, in characters (API facts 3). */
export const tagLimit = 32;

/** Whether lists leave a tag out. */
export function isReservedTag(name: string): boolean {
  const lower = name.trim().toLowerCase();
  return reservedTagPrefixes.some((prefix) => lower.startsWith(prefix));
}

/** A tag that a person gives. */
export const tagName = z
  .string()
  .trim()
  .min(1)
  .max(tagLimit)
  .refine((name) => !isReservedTag(name), `Tags cannot begin with ${reservedTagPrefixes.join(', ')}`);
