import { z } from 'zod';

/** A person in the record of an order, with the name that they had at its end. */
export const namedPerson = z.strictObject({ userid: z.int(), name: z.string() });

/**
 * What the server stored when an order ended: the names in its record, and the hash of the record, in hex. Later changes of
 * the stored events do not agree with it.
 */
export const recordSeal = z.strictObject({
  guide_title: z.string(),
  people: z.array(namedPerson),
  sha256: z.string(),
});
export type RecordSeal = z.infer<typeof recordSeal>;
