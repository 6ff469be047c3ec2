import { z } from 'zod';

/** A request for a single sign-on, and whether the person has authenticated at the identity provider. */
export const signOnRequest = z
  .strictObject({
    sign_onid: z.string(),
    /** `confirmed`: the token can be fetched. `taken`: it was fetched. */
    status: z.enum(['waiting', 'confirmed', 'refused', 'taken']),
    /** The address that the person opens in a browser. */
    url: z.string(),
    error: z.string().nullable(),
    expires_date: z.int(),
  })
  .meta({ id: 'SignOn' });
export type SignOnRequest = z.infer<typeof signOnRequest>;

/** A request to sign in through the identity provider. */
export const signInRequest = z
  .strictObject({
    /** The address that the person opens in a browser. */
    url: z.string(),
    /** The address to which the browser delivers the code that the device exchanges for its token. */
    return_to: z.string(),
    expires_date: z.int(),
  })
  .meta({ id: 'SignInRequest' });
export type SignInRequest = z.infer<typeof signInRequest>;

/** A token for one signature. */
export const signOnToken = z
  .strictObject({
    /** Sent once; a repeated call does not get it. */
    token: z.string().optional(),
    expires_date: z.int(),
  })
  .meta({ id: 'SignOnToken' });
export type SignOnToken = z.infer<typeof signOnToken>;
