import { z } from 'zod';

/** A request to the identity provider: whether the person has authenticated there by now. */
export const signOnRequest = z
  .strictObject({
    sign_onid: z.string(),
    /** `confirmed`: a token can be had; `taken`: it was had. */
    status: z.enum(['waiting', 'confirmed', 'refused', 'taken']),
    /** Where the person goes, in a browser. */
    url: z.string(),
    error: z.string().nullable(),
    expires_date: z.int(),
  })
  .meta({ id: 'SignOn' });
export type SignOnRequest = z.infer<typeof signOnRequest>;

/** A request to the identity provider of somebody who wants to sign in. */
export const signInRequest = z
  .strictObject({
    /** Where the person goes, in a browser. */
    url: z.string(),
    /** Where the browser brings the code that the device trades for its token. */
    return_to: z.string(),
    expires_date: z.int(),
  })
  .meta({ id: 'SignInRequest' });
export type SignInRequest = z.infer<typeof signInRequest>;

/** What signs once. */
export const signOnToken = z
  .strictObject({
    /** Told once: not to a repeated call. */
    token: z.string().optional(),
    expires_date: z.int(),
  })
  .meta({ id: 'SignOnToken' });
export type SignOnToken = z.infer<typeof signOnToken>;
