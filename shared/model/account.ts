import { z } from 'zod';

import { session } from './session.ts';

/** An account as administrators manage it. It contains no mail address (PEOPLE-7). Times are UNIX seconds. */
export const account = z
  .strictObject({
    userid: z.int(),
    username: z.string(),
    unique_username: z.string().nullable(),
    privileges: z.array(z.string()),
    teams: z.array(z.int()),
    enabled: z.boolean(),
    join_date: z.int(),
    /** Time of the last call of any session, up to an hour too early; null if there is no session. */
    seen_date: z.int().nullable(),
    sessions: z.int(),
    /** The language in which the server writes to the person; servers of earlier versions do not tell it. */
    langid: z.string().optional(),
    /** Whether the account has a mail address, to which an invitation can be sent. */
    has_email: z.boolean(),
    /** Whether the person can sign in: with a password or a single sign-on id. */
    can_sign_in: z.boolean(),
    /** How long the last invitation or code can be used; null if there is none that can. */
    invited_until: z.int().nullable(),
    /** Why the mail server did not take the mail of that invitation, in its words; absent if it did. */
    invitation_failure: z.string().optional(),
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof account>;

/** A session with its person. */
export const siteSession = z
  .strictObject({
    ...session.shape,
    userid: z.int(),
    username: z.string(),
    /** Whether the device follows the changes of the server at this moment. */
    is_connected: z.boolean(),
  })
  .meta({ id: 'SiteSession' });
export type SiteSession = z.infer<typeof siteSession>;

/** How a person is invited to choose a password. */
export const invitation = z
  .strictObject({
    /** The code to print, only in this answer; null if the invitation was sent by mail. */
    code: z.string().nullable(),
    /** How long it can be used, UNIX seconds. */
    until_date: z.int(),
    /** Why the mail server did not take the mail, in its words; absent if it did. */
    failure: z.string().optional(),
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof invitation>;
