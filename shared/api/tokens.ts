import { z } from 'zod';

import { user } from '#shared/model/user.ts';

import { del, post } from './endpoint.ts';

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
  remove: del('/user/token', { summary: 'Sign out: delete the current token', status: 204 }),
};
