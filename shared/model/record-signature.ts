import { z } from 'zod';

import { proofMethod } from './second-person.ts';

/** What a person states by signing the record of an order. */
export const recordMeanings = ['performed', 'reviewed', 'released'] as const;
export const recordMeaning = z.enum(recordMeanings);
export type RecordMeaning = z.infer<typeof recordMeaning>;

/**
 * A signature of the record of an order. `name`: the person's name at the time. `date`: UNIX seconds. `sha256`: the hash of
 * the record that was signed, as the server stored it at the end of the order.
 */
export const recordSignature = z.strictObject({
  record_signatureid: z.int(),
  userid: z.int(),
  name: z.string(),
  meaning: recordMeaning,
  comment: z.string(),
  method: proofMethod,
  sha256: z.string(),
  date: z.int(),
});
export type RecordSignature = z.infer<typeof recordSignature>;
