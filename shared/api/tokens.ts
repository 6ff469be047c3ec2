import { z } from 'zod';

import { user } from '#shared/model/user.ts';

import { del, post } from './endpoint.ts';
import { newPassword } from './users.ts';

/** spec: not shown; e-mail and password as existing clients send them. */
const credentials = z.strictObject({
  email: z.string().trim().min(1).max(320),
  password: z.string().min(1).max(1000),
  /** What the person calls this device, for the list of tokens (extension). */
  device: z.string().trim().max(100).optional(),
});

export const tokens = {
  create: post('/user/token', {
    summary: 'Sign in: create an authorization token from credentials',
    access: 'public',
    status: 201,
    body: credentials,
    result: user,
    transaction: 'handler',
  }),
  // Body (spec: not shown; API facts 2): whose token. The token ends after an hour, however much it is used.
  impersonate: post('/user/token/impersonate', {
    summary: 'Create a token for another person',
    access: 'admin',
    status: 201,
    body: z.strictObject({ userid: z.int().positive() }),
    result: user,
    refuses: [400, 403, 404],
  }),
  remove: del('/user/token', { summary: 'Sign out: delete the current token', status: 204 }),
};

/** Setting a new password without the old one. */
export const passwordReset = {
  // The answer is the same whether or not the address has an account.
  request: post('/users/reset_password', {
    summary: 'Ask for a link that sets a new password',
    access: 'public',
    body: z.strictObject({ email: z.string().trim().min(1).max(320) }),
    result: z.strictObject({ message: z.string() }),
    transaction: 'handler',
  }),
  confirm: post('/users/reset_password/confirm', {
    summary: 'Set a new password with the token of the link; every session of the account ends',
    access: 'public',
    status: 204,
    body: z.strictObject({ token: z.string().min(1).max(200), password: newPassword }),
    extension: true,
    transaction: 'handler',
  }),
};
