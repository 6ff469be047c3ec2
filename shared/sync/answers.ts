import { z } from 'zod';

import { batchResult, type BatchResult } from './wire.ts';

/** Most keys of one question. */
export const mostKeys = 200;

/** `POST /sync/1/answers`: the Idempotency-Keys of calls whose answers a device never got. */
export const answersRequest = z.strictObject({
  keys: z.array(z.string().min(8).max(64)).max(mostKeys),
});
export type AnswersRequest = z.infer<typeof answersRequest>;

/**
 * One line per key of the NDJSON answer, after a head line: the line that the batch would answer if it were sent again,
 * or that the server has done nothing under this key.
 */
export const unknownKey = z.strictObject({ id: z.string(), unknown: z.literal(true) });
export const answerLine = z.union([batchResult, unknownKey]);
export type AnswerLine = BatchResult | z.infer<typeof unknownKey>;
