import { z } from 'zod';

import { session } from '#shared/model/session.ts';
import { user } from '#shared/model/user.ts';

import { del, get, idText, post } from './endpoint.ts';
import { newPassword } from './users.ts';

/** Body of a sign-in (not in the spec): e-mail and password, as existing clients send them. */
const credentials = z.strictObject({
  email: z.string().trim().min(1).max(320),
  password: z.string().min(1).max(1000),
  /** The name of the device in the list of sessions (extension). */
  device: z.string().trim().max(100).optional(),
  /**
   * The `deviceKey` of an earlier sign-in of this person on this device (extension): failed attempts elsewhere do not
   * lock it out.
   */
  device_key: z.string().max(100).optional(),
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
  // Body (not in the spec; as on live servers): the person, who cannot be an administrator. The token ends after an
  // hour even if it is used, and with the session that created it.
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

const ofPerson = z.strictObject({ userid: idText });

/** The sessions of a person, for that person and for administrators. */
export const sessions = {
  list: get('/users/{userid}/sessions', {
    summary: 'List the sessions of a person, most recently used first',
    params: ofPerson,
    result: z.array(session),
    refuses: [403, 404],
    extension: true,
  }),
  end: del('/users/{userid}/sessions/{sessionid}', {
    summary: 'End a session of a person',
    status: 204,
    params: ofPerson.extend({ sessionid: z.string().min(1).max(64) }),
    refuses: [400, 403, 404],
    extension: true,
  }),
  // Also ends the sessions of administrators who act as the person.
  endOthers: del('/users/{userid}/sessions', {
    summary: 'End every session of a person except the one making the call',
    status: 204,
    params: ofPerson,
    refuses: [400, 403, 404],
    extension: true,
  }),
};

/**
 * The secret that the server keeps for a device of the caller (extension). The device wraps the key of its stored work
 * with it, so that the work can be read again after a sign-in even if the device has lost every other way to that key.
 */
export const deviceSecrets = {
  // 403 with the code `sign-in-too-old` unless the session began with a sign-in in the last ten minutes.
  obtain: post('/user/device_secret', {
    summary: 'Get the secret of a device of the caller, soon after a sign-in; the first call makes it',
    body: z.strictObject({
      device: z
        .uuid()
        .toLowerCase()
        .meta({
          description: 'A UUID that the device has chosen for itself',
          examples: ['3f1c9a52-6e0b-4c57-8d21-9b7a4e5f6c30'],
        }),
    }),
    result: z.strictObject({
      secret: z
        .string()
        .regex(/^[A-Za-z0-9+/]{43}=$/)
        .meta({
          description: '32 random bytes in base64, the same at each call for this account and device',
          examples: ['q8ZBn0Yt1n4b3mJwWmXo6dS2kq0hVYl5u7TzXc9RfGE='],
        }),
    }),
    refuses: [400, 403],
    unstored: true,
    extension: true,
  }),
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
