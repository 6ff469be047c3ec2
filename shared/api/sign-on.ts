import { z } from 'zod';

import { signInRequest, signOnRequest, signOnToken } from '#shared/model/sign-on.ts';
import { user } from '#shared/model/user.ts';

import { get, post } from './endpoint.ts';

const signOnPath = z.strictObject({ sign_onid: z.string().min(1).max(100) });

/** Single sign-on (SAML 2) for signatures. The specification names the token, but not how it is obtained. */
export const signOn = {
  metadata: get('/sign_on/metadata', {
    summary: 'Read the SAML 2 metadata of the site, for the identity provider',
    access: 'public',
    produces: ['application/xml'],
    refuses: [404],
    extension: true,
  }),
  begin: post('/sign_on', {
    summary: 'Begin a single sign-on for one signature: the person opens the address in a browser',
    status: 201,
    result: signOnRequest,
    refuses: [400, 403],
    extension: true,
  }),
  read: get('/sign_on/{sign_onid}', {
    summary: 'Read whether the identity provider has answered',
    params: signOnPath,
    result: signOnRequest,
    extension: true,
  }),
  token: post('/sign_on/{sign_onid}/token', {
    summary: 'Take the token that signs once, after the identity provider has answered',
    params: signOnPath,
    status: 201,
    result: signOnToken,
    refuses: [400, 404],
    extension: true,
  }),
  /** The person's browser posts it here from the identity provider; the answer is a page. */
  assertions: post('/sign_on/assertions', {
    summary: 'Take the answer of the identity provider (SAML 2, HTTP POST binding)',
    access: 'public',
    body: z.strictObject({
      SAMLResponse: z.string().min(1).max(500_000),
      RelayState: z.string().min(1).max(100),
    }),
    produces: ['text/html'],
    refuses: [400, 404],
    extension: true,
    transaction: 'handler',
  }),
};

/** The address at which an app listens on its own machine (RFC 8252, 7.3): a port of the loopback interface only. */
const loopback = z
  .string()
  .max(200)
  .regex(
    /^http:\/\/127\.0\.0\.1:[1-9]\d{0,4}\/[\w-]{1,100}$/,
    'Must be such as http://127.0.0.1:5000/signed-in',
  );

/**
 * Signing in with single sign-on. As in PKCE (RFC 7636), the device keeps a secret (`verifier`) and sends its SHA-256
 * (`challenge`) first. Without the secret, the code from the identity provider's answer is useless.
 */
export const signOnSessions = {
  begin: post('/user/token/sign_on', {
    summary: 'Begin to sign in at the identity provider: the person opens the address in a browser',
    access: 'public',
    status: 201,
    body: z.strictObject({
      challenge: z
        .string()
        .regex(/^[\w-]{43}$/, 'Must be a SHA-256 in base64url')
        .meta({ examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'] }),
      return_to: loopback.meta({ examples: ['http://127.0.0.1:5000/signed-in'] }).optional(),
    }),
    result: signInRequest,
    refuses: [400, 404],
    extension: true,
  }),
  redeem: post('/user/token/sign_on/redeem', {
    summary: 'Sign in: create an authorization token from the code that the browser brought back',
    access: 'public',
    status: 201,
    body: z.strictObject({
      code: z.string().min(1).max(200),
      verifier: z
        .string()
        .regex(/^[\w.~-]{43,128}$/, 'Must be 43 to 128 letters, digits or - . _ ~')
        .meta({ examples: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'] }),
      device: z.string().trim().max(100).optional(),
    }),
    result: user,
    refuses: [400, 404],
    extension: true,
    transaction: 'handler',
  }),
};
