import { afterAll, beforeAll, expect, test } from 'vitest';

import type { SignOnRequest } from '#shared/model/sign-on.ts';
import { responseBounds, type ResponseBounds } from '#server/features/sign-on/response-bounds.ts';
import { Verification } from '#server/features/sign-on/verification.ts';
import { IdentityProvider, type AuthnRequest } from '#test/support/identity-provider.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

import { pageOfResponse } from './sign-on-page.ts';

const provider = new IdentityProvider();

/** A server on which Ana signs with the identity provider. */
interface World {
  server: TestServer;
  ana: TestPerson;
}

async function startWorld(options: Parameters<typeof startServer>[0] = {}): Promise<World> {
  const server = await startServer({ ...options, site: provider.site() });
  const mira = await server.person('Mira', ['User', 'Admin']);
  const ana = await server.person('Ana');
  const edit = { sso_userid: 'ana@corp', current_password: 'a long password' };
  expect((await mira.call('PATCH', `/users/${ana.userid}`, edit)).status).toBe(200);
  return { server, ana };
}

async function begin({ ana }: World): Promise<AuthnRequest> {
  const { status, body } = await ana.call('POST', '/sign_on');
  expect(status).toBe(201);
  return IdentityProvider.read((body as SignOnRequest).url);
}

/** The page shown to a browser that posts a response. */
const bring = ({ server }: World, { relayState }: AuthnRequest, SAMLResponse: string): Promise<string> =>
  pageOfResponse(server, relayState, SAMLResponse);

/** A signature by nobody: anyone with the request of a person can write one. */
function worthless(references: number, transforms: number): string {
  const transform = '<ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>';
  const reference = `<ds:Reference URI="#_r"><ds:Transforms>${transform.repeat(transforms)}</ds:Transforms><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue>x</ds:DigestValue></ds:Reference>`;
  return `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/><ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>${reference.repeat(references)}</ds:SignedInfo><ds:SignatureValue>eA==</ds:SignatureValue></ds:Signature>`;
}

const signature = worthless(1, 1);
/** Takes the library a minute: each search visits all elements, for each of them. */
const wide = (request: AuthnRequest): string =>
  IdentityProvider.response(request, signature + '<a/>'.repeat(35_000));

const many = (count: number, each: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => each(n)).join('');

const logged: string[] = [];
let world: World;
beforeAll(async () => {
  world = await startWorld({ log: memoryLog(logged) });
});
afterAll(() => world.server[Symbol.asyncDispose]());

test.each<[string, string, RegExp]>([
  ['elements', signature + '<a/>'.repeat(1200), /more than 1200 elements/],
  ['comments', signature + '<!---->'.repeat(1200), /more than 1200 elements/],
  ['processing instructions', signature + '<?a?>'.repeat(1200), /more than 1200 elements/],
  ['CDATA sections', `<a>${'<![CDATA[]]>'.repeat(1200)}</a>`, /more than 1200 elements/],
  ['attributes', `<a ${many(2500, (n) => `a${n}="1" `)}/>`, /more than 2500 attributes/],
  ['namespaces', `<a ${many(41, (n) => `xmlns:n${n}="u:${n}" `)}/>`, /more than 40 namespaces at one place/],
  [
    'nested namespaces',
    many(20, (n) => `<a xmlns:n${n}="u" xmlns:m${n}="v">`) + '</a>'.repeat(20),
    /more than 40 namespaces at one place/,
  ],
  ['levels', '<a>'.repeat(32) + '</a>'.repeat(32), /more than 32 levels of elements/],
  ['signatures', signature.repeat(3), /more than 2 signatures/],
  ['references', worthless(3, 0), /more than 2 references of signatures/],
  ['transforms', worthless(1, 5), /more than 4 transforms of signatures/],
  ['bytes', `<a>${'x'.repeat(64 * 1024)}</a>`, /bytes; the limit is 65536/],
])(
  'SIGN-ON-15 a response with too many %s is refused before its signature is checked',
  async (_, inside, words) => {
    const request = await begin(world);
    const before = logged.length;
    const page = await bring(world, request, IdentityProvider.response(request, inside));
    expect(page).toContain('cannot be trusted');
    expect(logged.slice(before).join('\n')).toMatch(words);
  },
);

test('SIGN-ON-15 a response with three hundred groups of a person is accepted', async () => {
  const request = await begin(world);
  const group = (n: number): string =>
    `<saml:AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">g${n}</saml:AttributeValue>`;
  const groups = `<saml:AttributeStatement><saml:Attribute Name="groups">${many(300, group)}</saml:Attribute></saml:AttributeStatement>`;
  const said = provider.assertion(request).replace('</saml:Assertion>', `${groups}</saml:Assertion>`);
  const answer = IdentityProvider.response(request, provider.signed(said));
  expect(await bring(world, request, answer)).toContain('You are confirmed');
});

/** Disables the limits on responses. */
const unbounded: ResponseBounds = {
  ...responseBounds,
  bytes: Number.POSITIVE_INFINITY,
  nodes: Number.POSITIVE_INFINITY,
};

test('SIGN-ON-16 while a response is checked that takes minutes, other requests are answered', async () => {
  const budget = { ms: 3_600_000, megabytes: 2000 };
  const patient = await startWorld({ verification: new Verification({ bounds: unbounded, budget }) });
  await using _server = patient.server;
  const [hostile, own] = [await begin(patient), await begin(patient)];
  let isOver = false;
  void bring(patient, hostile, wide(hostile))
    // The server closes before it is done.
    .catch(() => undefined)
    .finally(() => (isOver = true));
  const health = await fetch(`${patient.server.url}/healthz`);
  expect(health.status).toBe(200);
  expect(await bring(patient, own, provider.answer(own))).toContain('You are confirmed');
  expect((await fetch(`${patient.server.url}/healthz`)).status).toBe(200);
  expect(isOver).toBe(false);
});

test('SIGN-ON-16 a response that exceeds the budget is refused, and the next one is accepted', async () => {
  const lines: string[] = [];
  const budget = { ms: 1500, megabytes: 256 };
  const strict = await startWorld({
    log: memoryLog(lines),
    verification: new Verification({ bounds: unbounded, budget }),
  });
  await using _server = strict.server;
  const hostile = await begin(strict);
  expect(await bring(strict, hostile, wide(hostile))).toContain('cannot be trusted');
  expect(lines.join('\n')).toContain('more time or memory than it may');
  const own = await begin(strict);
  expect(await bring(strict, own, provider.answer(own))).toContain('You are confirmed');
});
