/** Entry file of the workers that check answers of identity providers. */
import { must } from '#shared/must.ts';
import { serveWork } from '#server/platform/serve-work.ts';

import { readAssertion } from './saml.ts';
import type { VerificationWork } from './verification.ts';

serveWork(({ site, request, SAMLResponse }: VerificationWork) =>
  readAssertion(site, must(site.sign_on, 'the identity provider'), request, SAMLResponse),
);
