import { z } from 'zod';

/** The administrator who is acting as another person. */
export const impersonator = z.strictObject({ userid: z.int(), username: z.string() });
export type Impersonator = z.infer<typeof impersonator>;

/** A session of a person: a token that has not ended. Times are UNIX seconds. */
export const session = z
  .strictObject({
    sessionid: z.string(),
    /** As the device or app called itself when it signed in. */
    device: z.string(),
    /** The address it signed in from; empty: the server itself, or not recorded. */
    address: z.string(),
    created_date: z.int(),
    /** Up to an hour before the last call. */
    used_date: z.int(),
    /** When it ends if it is not used. */
    expires_date: z.int(),
    /** Whether it is the session of this call. */
    is_current: z.boolean(),
    /** The administrator who acts as the person in it. */
    impersonator: impersonator.nullable(),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof session>;
