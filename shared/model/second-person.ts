import { z } from 'zod';

/** How a person proved their identity: with their password, or with a single sign-on made for the purpose. */
export const proofMethod = z.enum(['password', 'token']);
export type ProofMethod = z.infer<typeof proofMethod>;

/**
 * Of the value of a field with `second_person`. `userid`: whose account the name belongs to; absent: a name that was only
 * typed. `lost`: the name that the field had before a value of its step changed (COSIGN-5).
 */
export const secondPerson = z.strictObject({ userid: z.int().optional(), lost: z.string().optional() });
export type SecondPerson = z.infer<typeof secondPerson>;

/** Who confirmed a value, as the server verified it. `name`: their name at that time. `at`: ms since 1970. */
const confirmed = { userid: z.int(), name: z.string(), at: z.number(), method: proofMethod };

/**
 * A confirmation in an entry. `event`: the index of the event with the name that it confirms. `values_sha256`: the hash of
 * the values of the step that it applies to (`stepValuesText`). `late`: the order had ended, and its record was sealed.
 */
export const confirmation = z.strictObject({
  event: z.int(),
  field_guid: z.string(),
  ...confirmed,
  values_sha256: z.string(),
  late: z.literal(true).optional(),
});
export type Confirmation = z.infer<typeof confirmation>;

/** A confirmation in the record of an order. `at`: ISO 8601 in UTC. */
export const recordedConfirmation = z.strictObject({
  ...confirmed,
  at: z.iso.datetime({ precision: 3 }),
  values_sha256: z.string(),
});

/** Whether the server verified who the second person is. `lost`: it had, or they were named, and a value changed since. */
export const secondPersonState = z.enum(['named', 'confirmed', 'lost']);
export type SecondPersonState = z.infer<typeof secondPersonState>;
