import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';

import { SignedXml } from 'xml-crypto';

import { must } from '#shared/must.ts';
import type { Site } from '#server/core/site-settings.ts';

import { selfSigned } from './certificate.ts';

/** The request of a site, read from the address that the person opens. */
export interface AuthnRequest {
  id: string;
  issuer: string;
  consumer: string;
  forceAuthn: boolean;
  relayState: string;
}

/** The content of an assertion; tests can make any of it wrong. */
interface Said {
  nameId?: string;
  attributes?: Record<string, string>;
  audience?: string;
  recipient?: string;
  inResponseTo?: string;
  issuer?: string;
  id?: string;
  /** Seconds from now. */
  notBefore?: number;
  notOnOrAfter?: number;
  authnInstant?: number;
}

/** A small SAML 2 identity provider with its own keys, which signs its assertions. */
export class IdentityProvider {
  readonly entryPoint: string;
  readonly issuer = 'https://identity.example.org';
  readonly certificate: string;
  readonly #key: string;

  /** `entryPoint`: the address where people authenticate. */
  constructor(entryPoint = 'https://identity.example.org/sso') {
    this.entryPoint = entryPoint;
    const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.certificate = selfSigned(keys, 'Identity provider');
    this.#key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  }

  /** Settings of a site on which people sign and sign in with it. */
  site(): Pick<Site, 'address' | 'sign_on'> {
    const { entryPoint, certificate } = this;
    return {
      address: 'https://guides.example.org',
      sign_on: {
        entry_point: entryPoint,
        certificates: [certificate],
        issuer: null,
        idp_issuer: null,
        attribute: null,
        sign_in_name: 'Example Works',
        match_email: true,
        email_attribute: null,
        create_accounts: true,
        name_attribute: null,
      },
    };
  }

  /** Reads the request from the address to which a site sends people. */
  static read(url: string): AuthnRequest {
    const { searchParams } = new URL(url);
    const packed = Buffer.from(must(searchParams.get('SAMLRequest'), 'the request'), 'base64');
    const xml = inflateRawSync(packed).toString();
    const attribute = (name: string): string => new RegExp(`${name}="([^"]*)"`).exec(xml)?.[1] ?? '';
    return {
      id: attribute(' ID'),
      issuer: />([^<]+)<\/saml:Issuer>/.exec(xml)?.[1] ?? '',
      consumer: attribute('AssertionConsumerServiceURL'),
      forceAuthn: attribute('ForceAuthn') === 'true',
      relayState: searchParams.get('RelayState') ?? '',
    };
  }

  /** An unsigned assertion about a person. */
  assertion(request: AuthnRequest, said: Said = {}): string {
    const at = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
    const values = Object.entries(said.attributes ?? {}).map(
      ([name, value]) =>
        `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
    );
    const until = at(said.notOnOrAfter ?? 300);
    return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${said.id ?? `_${randomUUID()}`}" Version="2.0" IssueInstant="${at(0)}"><saml:Issuer>${said.issuer ?? this.issuer}</saml:Issuer><saml:Subject><saml:NameID>${said.nameId ?? 'ana@corp'}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData InResponseTo="${said.inResponseTo ?? request.id}" Recipient="${said.recipient ?? request.consumer}" NotOnOrAfter="${until}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at(said.notBefore ?? -30)}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${said.audience ?? request.issuer}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${at(said.authnInstant ?? 0)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>${values.length === 0 ? '' : `<saml:AttributeStatement>${values.join('')}</saml:AttributeStatement>`}</saml:Assertion>`;
  }

  /** Signs the assertion inside an XML text. */
  signed(xml: string): string {
    const signature = new SignedXml({
      privateKey: this.#key,
      signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
    });
    signature.addReference({
      xpath: "//*[local-name(.)='Assertion']",
      transforms: [
        'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
        'http://www.w3.org/2001/10/xml-exc-c14n#',
      ],
      digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    });
    signature.computeSignature(xml, {
      location: { reference: "//*[local-name(.)='Assertion']/*[local-name(.)='Issuer']", action: 'after' },
    });
    return signature.getSignedXml();
  }

  /** An answer around what is in it, as a form field has it. */
  static response({ id, consumer }: AuthnRequest, inside: string): string {
    const xml = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_${randomUUID()}" Version="2.0" IssueInstant="${new Date().toISOString()}" Destination="${consumer}" InResponseTo="${id}"><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${inside}</samlp:Response>`;
    return Buffer.from(xml).toString('base64');
  }

  /** The response to a request about a person. */
  answer(request: AuthnRequest, said: Said = {}): string {
    return IdentityProvider.response(request, this.signed(this.assertion(request, said)));
  }
}

/** An identity provider that a browser can open. */
export interface ServedProvider extends AsyncDisposable {
  entryPoint: string;
  certificate: string;
  /** The name id under which people authenticate. */
  says: string;
}

/** Serves the page on which people confirm their identity; its button posts the response to the site that asked. */
export async function serveProvider(says: string): Promise<ServedProvider> {
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (request.method === 'POST') {
      const asked = IdentityProvider.read(new URL(request.url ?? '/', served.entryPoint).href);
      response.end(page(asked.consumer, asked.relayState, provider.answer(asked, { nameId: served.says })));
    } else
      response.end('<!doctype html><title>Who?</title><form method="post"><button>It is me</button></form>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const provider = new IdentityProvider(`http://127.0.0.1:${port}/sso`);
  const served: ServedProvider = {
    entryPoint: provider.entryPoint,
    certificate: provider.certificate,
    says,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return served;
}

/** Submits itself, like the pages of identity providers. */
function page(consumer: string, relayState: string, answer: string): string {
  return `<!doctype html><title>Going back</title>
<form method="post" action="${consumer}">
<input type="hidden" name="SAMLResponse" value="${answer}">
<input type="hidden" name="RelayState" value="${relayState}">
</form><script>document.forms[0].submit()</script>`;
}
