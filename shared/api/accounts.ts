import { z } from 'zod';

import { account, invitation, siteSession } from '#shared/model/account.ts';

import { del, get, idText, limit, offset, post } from './endpoint.ts';
import { newPassword, proof, proofFields } from './users.ts';

const shared = {
  extension: true,
  tag: { name: 'Accounts', description: 'Accounts, invitations and sessions, for administrators.' },
} as const;

/** How long an invitation can be used, seconds: people start on Monday, and are invited the week before. */
export const invitationSeconds = 7 * 24 * 3600;

/** Accounts as administrators manage them (extension). `PATCH /users/{userid}` changes roles, teams and `enabled`. */
export const accounts = {
  list: get('/accounts', {
    summary: 'List accounts with their roles, teams and last sign of use, ordered by id',
    ...shared,
    access: 'admin',
    query: z.object({ limit, offset }),
    result: z.array(account),
  }),
  // A proof is required: whoever has the code can sign in as the person.
  invite: post('/accounts/{userid}/invitation', {
    summary: 'Invite a person to choose a password, by mail or with a code to print; earlier ones end',
    ...shared,
    access: 'admin',
    params: z.strictObject({ userid: idText }),
    body: z.strictObject({
      by: z.enum(['mail', 'code']).meta({ description: 'How the person receives it' }),
      ...proof,
    }),
    proofs: proofFields,
    result: invitation,
    refuses: [400, 403, 404],
    unstored: true,
    transaction: 'handler',
  }),
  redeem: post('/accounts/redeem', {
    summary: 'Choose a password with a printed code; every session of the account ends',
    ...shared,
    access: 'public',
    body: z.strictObject({
      code: z
        .string()
        .trim()
        .min(1)
        .max(40)
        .meta({ description: 'The printed code, as people type it', examples: ['7Q4XM-R2KD9'] }),
      password: newPassword,
    }),
    // The owner, who has the code, signs in with the address.
    result: z.strictObject({ email: z.string().nullable() }),
    transaction: 'handler',
  }),
  sessions: get('/accounts/sessions', {
    summary: 'List the sessions of all people, most recently used first',
    ...shared,
    access: 'admin',
    query: z.object({ limit, offset }),
    result: z.array(siteSession),
  }),
  endSessions: del('/accounts/sessions', {
    summary: 'End the sessions of all people except the one making the call and those of stations',
    ...shared,
    access: 'admin',
    status: 204,
  }),
};
