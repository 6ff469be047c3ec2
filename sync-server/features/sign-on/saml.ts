import { SAML, ValidateInResponseTo, type Profile } from '@node-saml/node-saml';
import { z } from 'zod';

import { must } from '#shared/must.ts';
import type { Site, SignOnSettings } from '#server/core/site-settings.ts';

/** Largest accepted difference of clocks, ms. */
export const skewMs = 60_000;
/** Largest age of an assertion, ms. */
const oldestMs = 5 * 60_000;

/** The content of an assertion whose signature and conditions were checked. */
export interface Asserted {
  assertionid: string;
  /** The person's single sign-on id. */
  ssoUserid: string;
  /** The person's mail address and name, if the assertion has them. */
  email: string | null;
  name: string | null;
  /** When the person authenticated, UNIX ms. */
  authenticatedMs: number;
}

/** A request to the identity provider. `anew`: the person must authenticate again, even within a session there. */
export interface AuthnRequest {
  id: string;
  createdMs: number;
  anew: boolean;
}

/** The settings of a site that single sign-on needs. */
type SignOnSite = Pick<Site, 'address' | 'sign_on'>;

/**
 * The addresses of the site as a SAML service provider: where answers are sent, and its issuer name.
 *
 * - SIGN-ON-1 `GET /sign_on/metadata` tells the identity provider who the site is and where answers are sent. Both
 *   begin with the `address` of the site, never with a header of a request.
 */
export function serviceProvider({ address, sign_on }: SignOnSite) {
  const base = `${must(address, 'the address of the site')}/api/2.0/sign_on`;
  return { consumer: `${base}/assertions`, issuer: sign_on?.issuer ?? `${base}/metadata` };
}

/** A cache for the library with a single request. */
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

/** The parts of an assertion that the library leaves to its caller. */
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
 * Checks the answer of the identity provider to a request: signature of the assertion, audience, recipient, times,
 * request. Throws an error that says what is wrong. Called only in workers, with answers within `responseBounds`
 * (`verification.ts`).
 *
 * - SIGN-ON-4 An assertion counts only if it is signed by a certificate of the settings and is the signed element; is
 *   for this site, this address and this request; is within its times (with a minute of skew); is about an
 *   authentication after the request; and is about the person who started the request. Document types and encrypted
 *   assertions are refused.
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
  const email = mailAddress.safeParse(attributeValue(profile, email_attribute ?? nameId));
  return {
    assertionid: Assertion.$.ID,
    ssoUserid: ssoUseridOf(profile, settings),
    email: email.data ?? null,
    name: name_attribute === null ? null : attributeValue(profile, name_attribute),
    authenticatedMs,
  };
}

const mailAddress = z.email().max(320).toLowerCase();
/** Pseudo attribute for the NameID; real attribute names have no brackets. */
const nameId = '[NameID]';

/**
 * The single sign-on id of a person.
 *
 * - SIGN-ON-6 A person is identified by the NameID or by an attribute, which must equal the account's `sso_userid`.
 *   Several certificates can be trusted at once, so that one can replace another. `benchbook sign-on set` and
 *   `PATCH /site` set this up.
 */
function ssoUseridOf(profile: Profile, { attribute }: SignOnSettings): string {
  // Missing if the provider names no format, although the library's type says otherwise.
  const format = z.string().catch('').parse(profile.nameIDFormat);
  if (attribute === null && format.endsWith(':transient'))
    throw new Error('The NameID is another one each time: an attribute must hold the single sign-on id');
  const value = attributeValue(profile, attribute ?? nameId);
  if (value === null) throw new Error('The assertion does not say whose it is');
  return value;
}

/** The value of an attribute, if it has exactly one. */
function attributeValue(profile: Profile, attribute: string): string | null {
  const attributes = z.record(z.string(), z.unknown()).catch({}).parse(profile['attributes']);
  const value = attribute === nameId ? profile.nameID : attributes[attribute];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
