import { z } from 'zod';

/** Prefixes of tags derived from the record itself; people cannot give such tags (as on live servers). */
export const reservedTagPrefixes = ['device:', 'product:', 'lang:', 'source:', 'system:'] as const;

/** Maximum length of a tag in characters (as on live servers). */
export const tagLimit = 32;

/** Whether a tag has a reserved prefix, so that lists leave it out. */
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
