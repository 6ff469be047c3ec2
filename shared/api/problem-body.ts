import { z } from 'zod';

/**
 * The body of a refusal. `message` is for people, `code` for programs; `msg` repeats `message` for the oldest client.
 * Unknown codes are allowed, because servers may be newer than their readers.
 */
export const problemBody = z.looseObject({
  error: z.literal(true),
  message: z.string(),
  msg: z.string(),
  code: z.string(),
  errors: z
    .array(z.looseObject({ field: z.string(), message: z.string(), index: z.int().optional() }))
    .optional(),
});
export type ProblemBody = z.infer<typeof problemBody>;
