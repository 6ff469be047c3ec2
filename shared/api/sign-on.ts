import { z } from 'zod';

import { signOnRequest, signOnToken } from '#shared/model/sign-on.ts';

import { get, post } from './endpoint.ts';

const signOnPath = z.strictObject({ sign_onid: z.string().min(1).max(100) });

/** Single sign-on (SAML 2) for signatures: the specification names the token, not how it is had. */
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
  /** The browser of the person brings it here from the identity provider; what it answers is a page. */
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
