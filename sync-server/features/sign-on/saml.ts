import { SAML, ValidateInResponseTo, type Profile } from '@node-saml/node-saml';
import { z } from 'zod';

import { must } from '#shared/must.ts';
import type { Site, SignOnSettings } from '#server/core/site-settings.ts';

/** Clocks may differ so much, ms. */
export const skewMs = 60_000;
/** An assertion is used soon after it was made, ms. */
const oldestMs = 5 * 60_000;

/** What an identity provider asserts, after its signature and its conditions were checked. */
export interface Asserted {
  assertionid: string;
  /** The person's single sign-on id. */
  ssoUserid: string;
  /** Their mail address and name, as far as they are told. */
  email: string | null;
  name: string | null;
  /** When they authenticated, UNIX ms. */
  authenticatedMs: number;
}

/** One request to the identity provider. `anew`: whoever signs authenticates again, however long their session there lasts. */
export interface AuthnRequest {
  id: string;
  createdMs: number;
  anew: boolean;
}

/** What of a site its sign-on needs. */
type SignOnSite = Pick<Site, 'address' | 'sign_on'>;

/** The site as a service provider: where it is, and how it is called. */
export function serviceProvider({ address, sign_on }: SignOnSite) {
  const base = `${must(address, 'the address of the site')}/api/2.0/sign_on`;
  return { consumer: `${base}/assertions`, issuer: sign_on?.issuer ?? `${base}/metadata` };
}

/** Knows one request, for the time of one answer. */
function knowing(requestId: string, createdMs: number) {
  return {
    saveAsync: async () => null,
    getAsync: async (id: string) => (id === requestId ? new Date(createdMs).toISOString() : null),
    removeAsync: async () => null,
  };
}

function samlOf(site: SignOnSite, settings: SignOnSettings, request: AuthnRequest): SAML {
  const { consumer, issuer } = serviceProvider(site);
  return new SAML({
    entryPoint: settings.entry_point,
    idpCert: settings.certificates,
    issuer,
    audience: issuer,
    callbackUrl: consumer,
    ...(settings.idp_issuer === null ? {} : { idpIssuer: settings.idp_issuer }),
    identifierFormat: null,
    forceAuthn: request.anew,
    disableRequestedAuthnContext: true,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: skewMs,
    maxAssertionAgeMs: oldestMs,
    validateInResponseTo: ValidateInResponseTo.always,
    requestIdExpirationPeriodMs: oldestMs * 2,
    generateUniqueId: () => request.id,
    cacheProvider: knowing(request.id, request.createdMs),
  });
}

/** The address that a person opens to authenticate; `relayState` comes back with the answer. */
export function authenticationUrl(
  site: Site,
  settings: SignOnSettings,
  request: AuthnRequest,
  relayState: string,
): Promise<string> {
  return samlOf(site, settings, request).getAuthorizeUrlAsync(relayState, undefined, {});
}

/** The metadata of the site as XML. */
export function metadataOf(site: Site, settings: SignOnSettings): string {
  return samlOf(site, settings, {
    id: '_metadata',
    createdMs: 0,
    anew: true,
  }).generateServiceProviderMetadata(null, null);
}

/** What of an assertion the library leaves to its caller. */
const assertion = z.object({
  Assertion: z.object({
    $: z.object({ ID: z.string().min(1) }),
    Issuer: z.tuple([z.object({ _: z.string() })]),
    Subject: z.tuple([
      z.object({
        SubjectConfirmation: z.tuple([
          z.object({
            $: z.object({ Method: z.literal('urn:oasis:names:tc:SAML:2.0:cm:bearer') }),
            SubjectConfirmationData: z.tuple([
              z.object({
                $: z.object({ InResponseTo: z.string(), Recipient: z.string(), NotOnOrAfter: z.string() }),
              }),
            ]),
          }),
        ]),
      }),
    ]),
    Conditions: z.tuple([z.object({ $: z.object({ NotOnOrAfter: z.string() }) })]),
    AuthnStatement: z.tuple([z.object({ $: z.object({ AuthnInstant: z.iso.datetime({ offset: true }) }) })]),
  }),
});

/**
 * Checks the answer of the identity provider to one request: signature of the assertion, audience, recipient, times,
 * request. Throws an error whose words say what is wrong with it; nothing of an answer that failed is to be believed.
 * Only workers call it, with answers within `responseBounds` (`verification.ts`).
 */
export async function readAssertion(
  site: SignOnSite,
  settings: SignOnSettings,
  request: AuthnRequest,
  SAMLResponse: string,
): Promise<Asserted> {
  const { profile } = await samlOf(site, settings, request).validatePostResponseAsync({ SAMLResponse });
  if (profile === null) throw new Error('There is no assertion in the answer');
  const { Assertion } = assertion.parse(profile.getAssertion?.());
  const [{ SubjectConfirmation }] = Assertion.Subject;
  const [{ SubjectConfirmationData }] = SubjectConfirmation;
  const [{ $: confirmed }] = SubjectConfirmationData;
  if (confirmed.InResponseTo !== request.id) throw new Error('The assertion answers another request');
  if (confirmed.Recipient !== serviceProvider(site).consumer)
    throw new Error('The assertion was made for another address');
  if (settings.idp_issuer !== null && Assertion.Issuer[0]._ !== settings.idp_issuer)
    throw new Error('The assertion was made by another identity provider');
  const [{ $: statement }] = Assertion.AuthnStatement;
  const authenticatedMs = Date.parse(statement.AuthnInstant);
  if (request.anew && authenticatedMs < request.createdMs - skewMs)
    throw new Error('The identity provider did not ask for authentication again');
  const { email_attribute, name_attribute } = settings;
  const email = mailAddress.safeParse(told(profile, email_attribute ?? nameId));
  return {
    assertionid: Assertion.$.ID,
    ssoUserid: ssoUseridOf(profile, settings),
    email: email.data ?? null,
    name: name_attribute === null ? null : told(profile, name_attribute),
    authenticatedMs,
  };
}

const mailAddress = z.email().max(320).toLowerCase();
/** Stands for the NameID among attributes, whose names have no brackets. */
const nameId = '[NameID]';

function ssoUseridOf(profile: Profile, { attribute }: SignOnSettings): string {
  // Missing where the provider names no format, whatever the library says of it.
  const format = z.string().catch('').parse(profile.nameIDFormat);
  if (attribute === null && format.endsWith(':transient'))
    throw new Error('The NameID is another one each time: an attribute must hold the single sign-on id');
  const value = told(profile, attribute ?? nameId);
  if (value === null) throw new Error('The assertion does not say whose it is');
  return value;
}

/** What an attribute says, if it says one thing. */
function told(profile: Profile, attribute: string): string | null {
  const attributes = z.record(z.string(), z.unknown()).catch({}).parse(profile['attributes']);
  const value = attribute === nameId ? profile.nameID : attributes[attribute];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
