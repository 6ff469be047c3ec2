import { z } from 'zod';

/** The administrator who is acting as another person. */
export const impersonator = z.strictObject({ userid: z.int(), username: z.string() });
export type Impersonator = z.infer<typeof impersonator>;

/** A session of a person, which is a token that has not ended. Times are UNIX seconds. */
export const session = z
  .strictObject({
    sessionid: z.string(),
    /** The name that the device or app gave when it signed in. */
    device: z.string(),
    /** The address from which it signed in; empty: the server itself, or not recorded. */
    address: z.string(),
    created_date: z.int(),
    /** Time of the last call, up to an hour too early. */
    used_date: z.int(),
    /** When it ends if it is not used. */
    expires_date: z.int(),
    /** Whether this call belongs to the session. */
    is_current: z.boolean(),
    /** The administrator who acts as the person in this session. */
    impersonator: impersonator.nullable(),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof session>;
