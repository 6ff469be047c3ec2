import { afterAll, beforeAll, expect, test } from 'vitest';

import type { SignOnRequest, SignOnToken } from '#shared/model/sign-on.ts';
import { Problem } from '#shared/api/problem.ts';
import { must } from '#shared/must.ts';
import { listAudit } from '#server/features/audit/list.ts';
import { redeemSignOn, signOnTokenSeconds } from '#server/features/sign-on/tokens.ts';
import { IdentityProvider, type AuthnRequest } from '#test/support/identity-provider.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { written } from '#test/support/written.ts';

import { pageOfResponse } from './sign-on-page.ts';

const provider = new IdentityProvider();
const address = 'https://guides.example.org';
const settings = { entry_point: provider.entryPoint, certificates: [provider.certificate] };

let ahead = 0;
let server: TestServer;
let mira: TestPerson;
let ana: TestPerson;
let ben: TestPerson;

beforeAll(async () => {
  server = await startServer({ now: () => Date.now() + ahead });
  mira = await server.person('Mira', ['User', 'Admin']);
  ana = await server.person('Ana');
  ben = await server.person('Ben');
  await mira.call('PATCH', `/users/${ana.userid}`, {
    sso_userid: 'ana@corp',
    current_password: 'a long password',
  });
  await mira.call('PATCH', `/users/${ben.userid}`, {
    sso_userid: 'ben@corp',
    current_password: 'a long password',
  });
  await setUp({});
});

afterAll(() => server[Symbol.asyncDispose]());

async function setUp(more: object): Promise<void> {
  const answer = await mira.call('PATCH', '/site', {
    current_password: 'a long password',
    address,
    sign_on: { ...settings, ...more },
  });
  expect(answer.status).toBe(200);
}

async function begin(person: TestPerson): Promise<{ record: SignOnRequest; request: AuthnRequest }> {
  const answer = await person.call('POST', '/sign_on');
  expect(answer.status).toBe(201);
  const record = answer.body as SignOnRequest;
  return { record, request: IdentityProvider.read(record.url) };
}

/** Posts a response like the browser of the person. */
const bring = (RelayState: string, SAMLResponse: string): Promise<string> =>
  pageOfResponse(server, RelayState, SAMLResponse);

const stateOf = async (person: TestPerson, { sign_onid }: SignOnRequest): Promise<SignOnRequest> =>
  (await person.call('GET', `/sign_on/${sign_onid}`)).body as SignOnRequest;

async function tokenOf(person: TestPerson): Promise<string> {
  const { record, request } = await begin(person);
  const nameId = person === ana ? 'ana@corp' : 'ben@corp';
  expect(await bring(record.sign_onid, provider.answer(request, { nameId }))).toContain('You are confirmed');
  const taken = await person.call('POST', `/sign_on/${record.sign_onid}/token`);
  expect(taken.status).toBe(201);
  return must((taken.body as SignOnToken).token, 'the token');
}

const redeem = (token: string, { userid }: TestPerson): Promise<void> =>
  written(server.services, (tx) => redeemSignOn(tx, token, userid, Math.floor(server.services.now() / 1000)));

/** The state of a sign-on after its person posted an invalid response. */
async function refused(make: (request: AuthnRequest) => string): Promise<SignOnRequest> {
  const { record, request } = await begin(ana);
  expect(await bring(record.sign_onid, make(request))).toContain('You are not confirmed');
  expect((await ana.call('POST', `/sign_on/${record.sign_onid}/token`)).status).toBe(422);
  return stateOf(ana, record);
}

test('SIGN-ON-1 the metadata names the site and where its responses go', async () => {
  const response = await fetch(`${server.url}/api/2.0/sign_on/metadata`);
  expect(response.headers.get('content-type')).toContain('application/xml');
  const xml = await response.text();
  expect(xml).toContain(`entityID="${address}/api/2.0/sign_on/metadata"`);
  expect(xml).toContain(`Location="${address}/api/2.0/sign_on/assertions"`);
  expect(xml).toContain('WantAssertionsSigned="true"');
});

test('SIGN-ON-8 the site says whether people can sign with single sign-on', async () => {
  const offered = async (): Promise<unknown> => {
    const response = await fetch(`${server.url}/api/2.0/sites/info`);
    return ((await response.json()) as { authentication: Record<string, unknown> }).authentication['sign-on'];
  };
  expect(await offered()).toBe(true);
  expect(
    (await mira.call('PATCH', '/site', { current_password: 'a long password', sign_on: null })).status,
  ).toBe(200);
  expect(await offered()).toBe(false);
  await setUp({});
});

test('SIGN-ON-2 a person must authenticate again, and the request belongs to them alone', async () => {
  const { record, request } = await begin(ana);
  expect(record.url.startsWith(`${provider.entryPoint}?`)).toBe(true);
  expect(request).toMatchObject({ forceAuthn: true, relayState: record.sign_onid });
  expect(request.consumer).toBe(`${address}/api/2.0/sign_on/assertions`);
  expect(await stateOf(ana, record)).toMatchObject({ status: 'waiting' });
  expect((await ben.call('GET', `/sign_on/${record.sign_onid}`)).status).toBe(404);
  expect((await ben.call('POST', `/sign_on/${record.sign_onid}/token`)).status).toBe(404);
  expect((await mira.call('POST', '/sign_on')).status).toBe(403);
  expect((await ana.call('POST', `/sign_on/${record.sign_onid}/token`)).status).toBe(422);
});

test('SIGN-ON-3 a correctly signed response gives a token that signs once', async () => {
  const token = await tokenOf(ana);
  await redeem(token, ana);
  await expect(redeem(token, ana)).rejects.toThrow('used already');
});

test('SIGN-ON-3 the token is sent once, stored as a hash, and belongs to its person', async () => {
  const { record, request } = await begin(ana);
  await bring(record.sign_onid, provider.answer(request));
  const key = { 'Idempotency-Key': 'take-the-token-1' };
  const path = `/sign_on/${record.sign_onid}/token`;
  const { token } = (await ana.call('POST', path, undefined, key)).body as SignOnToken;
  expect((await ana.call('POST', path, undefined, key)).body).not.toHaveProperty('token');
  expect((await ana.call('POST', path)).status).toBe(422);
  const stored = await server.services.storage.reader.selectFrom('sign_on_tokens').selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(token);
  await expect(redeem(token ?? '', ben)).rejects.toThrow(Problem);
  await redeem(token ?? '', ana);
});

test('SIGN-ON-3 an unused token expires within minutes', async () => {
  const token = await tokenOf(ana);
  ahead += (signOnTokenSeconds + 1) * 1000;
  await expect(redeem(token, ana)).rejects.toThrow('too old');
  ahead = 0;
});

test('SIGN-ON-3 a failed signature does not use up its token', async () => {
  const token = await tokenOf(ana);
  const failing = written(server.services, async (tx) => {
    await redeemSignOn(tx, token, ana.userid, Math.floor(Date.now() / 1000));
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  await redeem(token, ana);
});

const other = new IdentityProvider();

test.each<[string, (request: AuthnRequest) => string]>([
  ['is not signed', (request) => IdentityProvider.response(request, provider.assertion(request))],
  ['is signed by somebody else', (request) => other.answer(request)],
  [
    'was changed after it was signed',
    (request) => {
      const signed = provider.signed(provider.assertion(request, { nameId: 'ben@corp' }));
      return IdentityProvider.response(request, signed.replace('ben@corp', 'ana@corp'));
    },
  ],
  [
    'is for another site',
    (request) => provider.answer(request, { audience: 'https://elsewhere.example.org' }),
  ],
  [
    'is for another address',
    (request) => provider.answer(request, { recipient: 'https://elsewhere.example.org' }),
  ],
  ['answers another request', (request) => provider.answer(request, { inResponseTo: '_another' })],
  ['has expired', (request) => provider.answer(request, { notBefore: -900, notOnOrAfter: -120 })],
  ['is not valid yet', (request) => provider.answer(request, { notBefore: 120, notOnOrAfter: 300 })],
  ['tells of an authentication long ago', (request) => provider.answer(request, { authnInstant: -3600 })],
  ['is about another person', (request) => provider.answer(request, { nameId: 'ben@corp' })],
  ['is about nobody we know', (request) => provider.answer(request, { nameId: 'eve@corp' })],
  ['is about nobody', (request) => provider.answer(request, { nameId: '' })],
  ['is no XML', () => Buffer.from('not <XML').toString('base64')],
  [
    'has a document type',
    (request) =>
      Buffer.from(
        `<!DOCTYPE r [<!ENTITY a "ana@corp">]>${Buffer.from(provider.answer(request), 'base64').toString()}`,
      ).toString('base64'),
  ],
])('SIGN-ON-4 a response that %s is refused', async (_, make) => {
  expect(await refused(make)).toMatchObject({ status: 'refused' });
});

/** An unsigned assertion about Ana and a signed one about Ben, for XML signature wrapping. */
function wrapped(request: AuthnRequest) {
  const forged = provider.assertion(request, { nameId: 'ana@corp' });
  const signed = provider.signed(provider.assertion(request, { nameId: 'ben@corp' }));
  const signature = must(/<(?:ds:)?Signature .*<\/(?:ds:)?Signature>/s.exec(signed)?.[0], 'the signature');
  return { forged, signed, signature };
}

test.each<[string, (parts: ReturnType<typeof wrapped>) => string]>([
  ['beside the signed one', ({ forged, signed }) => forged + signed],
  ['after the signed one', ({ forged, signed }) => signed + forged],
  [
    'around the signed one',
    ({ forged, signed }) => forged.replace('<saml:Subject>', `${signed}<saml:Subject>`),
  ],
  [
    'with the signature of the signed one, which it holds',
    ({ forged, signed, signature }) =>
      forged.replace(
        '<saml:Subject>',
        `${signature.replace('</Signature>', `<Object>${signed.replace(signature, '')}</Object></Signature>`)}<saml:Subject>`,
      ),
  ],
  [
    'in place of the signed one, which is in an extension',
    ({ forged, signed }) => `<samlp:Extensions>${signed}</samlp:Extensions>${forged}`,
  ],
  [
    'under the id of the signed one',
    ({ forged, signed, signature }) => {
      const id = must(/ID="([^"]+)"/.exec(signed)?.[1], 'the id');
      return `<samlp:Extensions>${signed}</samlp:Extensions>${forged.replace(/ID="[^"]+"/, `ID="${id}"`).replace('<saml:Subject>', `${signature}<saml:Subject>`)}`;
    },
  ],
])('SIGN-ON-4 a forged assertion %s is refused', async (_, mix) => {
  const state = await refused((request) => IdentityProvider.response(request, mix(wrapped(request))));
  expect(state).toMatchObject({ status: 'refused' });
});

test('SIGN-ON-4 a comment inside a name does not change the name', async () => {
  const state = await refused((request) => {
    const signed = provider.signed(provider.assertion(request, { nameId: 'ana@corp.evil.example.org' }));
    return IdentityProvider.response(request, signed.replace('ana@corp.evil', 'ana@corp<!---->.evil'));
  });
  expect(state).toMatchObject({ status: 'refused' });
});

test('SIGN-ON-5 a response is accepted once, for its own request', async () => {
  const first = await begin(ana);
  const answer = provider.answer(first.request, { id: '_the-same' });
  expect(await bring(first.record.sign_onid, answer)).toContain('You are confirmed');
  expect(await bring(first.record.sign_onid, answer)).toContain('You are not confirmed');
  expect(await stateOf(ana, first.record)).toMatchObject({ status: 'confirmed' });
  const second = await begin(ana);
  expect(await bring(second.record.sign_onid, answer)).toContain('You are not confirmed');
  const third = await begin(ana);
  expect(await bring(third.record.sign_onid, provider.answer(third.request, { id: '_the-same' }))).toContain(
    'used before',
  );
  expect(await bring('of-nobody', answer)).toContain('You are not confirmed');
});

test('SIGN-ON-5 a late response is refused', async () => {
  const { record, request } = await begin(ana);
  ahead += 11 * 60_000;
  expect(await bring(record.sign_onid, provider.answer(request))).toContain('You are not confirmed');
  ahead = 0;
});

test('SIGN-ON-6 an attribute may contain the id of the person, and a second certificate may be configured', async () => {
  await setUp({
    attribute: 'employee',
    certificates: [other.certificate, provider.certificate],
    idp_issuer: provider.issuer,
  });
  const { record, request } = await begin(ana);
  const said = { nameId: 'transient', attributes: { employee: 'ana@corp' } };
  expect(await bring(record.sign_onid, provider.answer(request, said))).toContain('You are confirmed');
  expect(
    await refused((asked) => provider.answer(asked, { ...said, issuer: 'https://elsewhere.example.org' })),
  ).toMatchObject({ status: 'refused' });
  await setUp({});
});

test('SIGN-ON-6 unusable settings are refused', async () => {
  const edit = (sign_on: object) =>
    mira.call('PATCH', '/site', {
      current_password: 'a long password',
      sign_on: { ...settings, ...sign_on },
    });
  expect((await edit({ certificates: ['no certificate'] })).status).toBe(422);
  expect((await edit({ certificates: [] })).status).toBe(422);
  expect((await edit({ entry_point: 'no address' })).status).toBe(422);
  expect(
    (await mira.call('PATCH', '/site', { current_password: 'a long password', address: null })).status,
  ).toBe(422);
});

test('SIGN-ON-7 the audit log names confirmations and refusals, without tokens', async () => {
  const token = await tokenOf(ben);
  await refused((request) => provider.answer(request, { audience: 'https://elsewhere.example.org' }));
  const rows = await listAudit(
    server.services.storage.reader,
    { action: 'POST /sign_on/assertions' },
    { limit: 2, offset: 0 },
  );
  expect(rows).toMatchObject([
    { userid: ana.userid, name: 'Ana', outcome: 'refused', object: 'sign_on' },
    { userid: ben.userid, name: 'Ben', outcome: 'done', object: 'sign_on' },
  ]);
  const all = await listAudit(server.services.storage.reader, {}, { limit: 10_000, offset: 0 });
  expect(JSON.stringify(all)).not.toContain(token);
});
