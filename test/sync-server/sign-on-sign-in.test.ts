import { createHash, randomBytes } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { signInRequest, type SignInRequest } from '#shared/model/sign-on.ts';
import type { User } from '#shared/model/user.ts';
import { must } from '#shared/must.ts';
import { listAudit } from '#server/features/audit/list.ts';
import { IdentityProvider, type AuthnRequest } from '#test/support/identity-provider.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

import { codeIn, goesTo, pageOfResponse } from './sign-on-page.ts';

const provider = new IdentityProvider();
const address = 'https://guides.example.org';
const settings = {
  entry_point: provider.entryPoint,
  certificates: [provider.certificate],
  sign_in_name: 'Example Works',
};

let ahead = 0;
let server: TestServer;
let mira: TestPerson;
let ana: TestPerson;

beforeAll(async () => {
  server = await startServer({ now: () => Date.now() + ahead, site: { private: true } });
  mira = await server.person('Mira', ['User', 'Admin']);
  ana = await server.person('Ana');
  await mira.call('PATCH', `/users/${ana.userid}`, {
    sso_userid: 'ana@corp',
    current_password: 'a long password',
  });
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => setUp({}));

async function setUp(more: object): Promise<void> {
  const current_password = 'a long password';
  const body = { current_password, address, sign_on: { ...settings, ...more } };
  expect((await mira.call('PATCH', '/site', body)).status).toBe(200);
}

interface Answer {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

/** A call without a session. */
async function send(path: string, body: object): Promise<Answer> {
  const response = await fetch(`${server.url}/api/2.0${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { status, headers } = response;
  return { status, headers, body: (await response.json()) as Record<string, unknown> };
}

/** A device that signs in. */
interface Asking {
  verifier: string;
  begun: SignInRequest;
  request: AuthnRequest;
}

async function begin(more: object = {}): Promise<Asking> {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const { status, body } = await send('/user/token/sign_on', { challenge, ...more });
  expect(status).toBe(201);
  const begun = signInRequest.parse(body);
  return { verifier, begun, request: IdentityProvider.read(begun.url) };
}

/** The page shown to a browser that posts a response. */
const bring = ({ relayState }: AuthnRequest, SAMLResponse: string): Promise<string> =>
  pageOfResponse(server, relayState, SAMLResponse);

const redeem = ({ verifier }: Pick<Asking, 'verifier'>, code: string): Promise<Answer> =>
  send('/user/token/sign_on/redeem', { code, verifier });

/** Completes a sign-in; the caller checks the result. */
async function signIn(said: Parameters<IdentityProvider['answer']>[1]): Promise<Answer> {
  const asking = await begin();
  return redeem(asking, codeIn(await bring(asking.request, provider.answer(asking.request, said))));
}

async function whoIs(token: unknown): Promise<User> {
  const response = await fetch(`${server.url}/api/2.0/user`, {
    headers: { Authorization: `api ${String(token)}` },
  });
  return (await response.json()) as User;
}

test('SIGN-ON-9 a person of the identity provider signs in on a private site without authenticating again', async () => {
  const asking = await begin();
  expect(asking.request).toMatchObject({ forceAuthn: false });
  expect(asking.begun.return_to).toBe(`${address}/sign-in`);
  // Signed in at the provider for hours.
  const page = await bring(asking.request, provider.answer(asking.request, { authnInstant: -4 * 3600 }));
  expect(goesTo(page)).toMatch(/^https:\/\/guides\.example\.org\/sign-in#sign-on=[\w-]{43}$/);
  const { status, body } = await redeem(asking, codeIn(page));
  expect(status).toBe(201);
  expect(await whoIs(body['authToken'])).toMatchObject({ userid: ana.userid, username: 'Ana' });
});

test('SIGN-ON-9 the site names its identity provider, or nothing where that sign-in is off', async () => {
  const named = async (): Promise<unknown> => {
    const response = await fetch(`${server.url}/api/2.0/sites/info`);
    return ((await response.json()) as { authentication: Record<string, unknown> }).authentication['sign-in'];
  };
  expect(await named()).toBe('Example Works');
  await setUp({ sign_in_name: null });
  expect(await named()).toBeNull();
  expect((await send('/user/token/sign_on', {})).status).toBe(404);
  expect((await send('/user/token/sign_on/redeem', {})).status).toBe(404);
});

test('SIGN-ON-10 a code works once, on the device that asked', async () => {
  const [asking, other] = [await begin(), await begin()];
  const answer = provider.answer(asking.request);
  const code = codeIn(await bring(asking.request, answer));
  expect(await redeem(other, code)).toMatchObject({
    status: 401,
    body: { message: expect.stringContaining('begun on another device') },
  });
  expect((await redeem(asking, 'A'.repeat(43))).status).toBe(401);
  expect((await redeem(asking, code)).status).toBe(201);
  expect((await redeem(asking, code)).status).toBe(401);
  expect(await bring(asking.request, answer)).toContain('over');
});

test('SIGN-ON-10 codes are stored as hashes, and no address that a server logs contains one', async () => {
  const asking = await begin();
  const page = await bring(asking.request, provider.answer(asking.request));
  const code = codeIn(page);
  const stored = await server.services.storage.reader.selectFrom('sign_ins').selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(code);
  expect(JSON.stringify(stored)).not.toContain(asking.verifier);
  expect(new URL(must(goesTo(page), 'an address')).search).toBe('');
});

test('SIGN-ON-10 an app gets the response on its own machine, and no request redirects a browser elsewhere', async () => {
  const asking = await begin({ return_to: 'http://127.0.0.1:5123/signed-in' });
  const page = await bring(asking.request, provider.answer(asking.request));
  expect(goesTo(page)).toMatch(/^http:\/\/127\.0\.0\.1:5123\/signed-in\?code=[\w-]{43}$/);
  const challenge = 'A'.repeat(43);
  for (const return_to of [
    'https://evil.example.org/',
    'http://127.0.0.1.evil.example.org:80/a',
    'http://127.0.0.1:80@evil.example.org/a',
    'http://127.0.0.1:5123/a?b=c',
    'http://127.0.0.1:5123/"onload',
    'http://localhost:5123/a',
    'javascript:alert(1)',
  ])
    expect([return_to, (await send('/user/token/sign_on', { challenge, return_to })).status]).toEqual([
      return_to,
      422,
    ]);
});

const other = new IdentityProvider();

test.each<[string, (request: AuthnRequest) => string]>([
  ['is signed by somebody else', (request) => other.answer(request)],
  [
    'is for another site',
    (request) => provider.answer(request, { audience: 'https://elsewhere.example.org' }),
  ],
  ['answers another request', (request) => provider.answer(request, { inResponseTo: '_another' })],
  ['has expired', (request) => provider.answer(request, { notBefore: -900, notOnOrAfter: -120 })],
  [
    'was changed after it was signed',
    (request) =>
      IdentityProvider.response(
        request,
        provider.signed(provider.assertion(request, { nameId: 'ben@corp' })).replace('ben@corp', 'ana@corp'),
      ),
  ],
])('SIGN-ON-4 a response that %s signs nobody in', async (_, make) => {
  const { request } = await begin();
  const page = await bring(request, make(request));
  expect(page).toContain('You are not signed in');
  expect(goesTo(page)).toBeUndefined();
  expect(await bring(request, provider.answer(request))).toContain('over');
});

test('SIGN-ON-5 an assertion signs in once, and an invalid RelayState leads nowhere', async () => {
  const [first, second] = [await begin(), await begin()];
  codeIn(await bring(first.request, provider.answer(first.request, { id: '_once' })));
  expect(await bring(second.request, provider.answer(second.request, { id: '_once' }))).toContain(
    'used before',
  );
  const third = await begin();
  const page = await bring({ ...third.request, relayState: 'of-nobody' }, provider.answer(third.request));
  expect(page).toContain('You are not confirmed');
  expect(goesTo(page)).toBeUndefined();
  // A signing request accepts no code, and a sign-in no signature.
  const signing = (await ana.call('POST', '/sign_on')).body as { url: string };
  const asked = IdentityProvider.read(signing.url);
  expect(goesTo(await bring(asked, provider.answer(asked)))).toBeUndefined();
});

test('SIGN-ON-11 an unknown person is told which id an administrator must enter', async () => {
  const { request } = await begin();
  const page = await bring(request, provider.answer(request, { nameId: 'eve@corp' }));
  expect(page).toContain('Ask an administrator to enter the single sign-on id eve@corp in your account');
  expect(page).toContain(`<a href="${address}/sign-in">`);
});

test('SIGN-ON-11 a disabled account is refused, also when it is disabled before the device has its token', async () => {
  const ben = await server.person('Ben');
  const asking = await begin();
  await mira.call('PATCH', `/users/${ben.userid}`, {
    sso_userid: 'ben@corp',
    current_password: 'a long password',
  });
  const code = codeIn(await bring(asking.request, provider.answer(asking.request, { nameId: 'ben@corp' })));
  await mira.call('PATCH', `/users/${ben.userid}`, { enabled: false });
  expect(await redeem(asking, code)).toMatchObject({
    status: 401,
    body: { message: 'Your account is closed. Ask an administrator' },
  });
  const again = await begin();
  expect(await bring(again.request, provider.answer(again.request, { nameId: 'ben@corp' }))).toContain(
    'Your account is closed',
  );
});

test('SIGN-ON-12 if the site allows it, an account is matched by its address; its password and sessions end', async () => {
  const cleo = await server.person('Cleo');
  const said = { nameId: 'c-17', attributes: { mail: 'Cleo@example.com' } };
  const asking = await begin();
  expect(await bring(asking.request, provider.answer(asking.request, said))).toContain(
    'You are not signed in',
  );
  await setUp({ match_email: true, email_attribute: 'mail' });
  const { body } = await signIn(said);
  expect(body).toMatchObject({ userid: cleo.userid });
  expect((await cleo.call('GET', '/user')).status).toBe(401);
  const password = { email: 'cleo@example.com', password: 'a long password' };
  expect((await send('/user/token', password)).status).toBe(401);
  await setUp({});
  expect((await signIn({ nameId: 'c-17' })).body).toMatchObject({ userid: cleo.userid });
});

test('SIGN-ON-12 an address matches neither administrators nor accounts with another id', async () => {
  await setUp({ match_email: true, email_attribute: 'mail', create_accounts: true });
  const refusedAs = async (nameId: string, mail: string): Promise<string> => {
    const { request } = await begin();
    return bring(request, provider.answer(request, { nameId, attributes: { mail } }));
  };
  expect(await refusedAs('m-1', 'mira@example.com')).toContain('Accounts of administrators');
  expect(await refusedAs('a-2', 'ana@example.com')).toContain('has another single sign-on id');
});

test('SIGN-ON-13 if the site allows it, a person of the provider gets an account, once', async () => {
  const said = { nameId: 'd-5', attributes: { mail: 'dora@corp.example.org', name: 'Dora Lind' } };
  const unknown = await begin();
  expect(await bring(unknown.request, provider.answer(unknown.request, said))).toContain(
    'You are not signed in',
  );
  await setUp({ create_accounts: true, email_attribute: 'mail', name_attribute: 'name' });
  const first = await signIn(said);
  expect(first.body).toMatchObject({
    username: 'Dora Lind',
    unique_username: 'doralind',
    privileges: ['User'],
  });
  expect((await signIn(said)).body).toMatchObject({ userid: first.body['userid'] });
  const found = await mira.call('GET', '/users/email/dora@corp.example.org');
  expect(found.body).toMatchObject({ userid: first.body['userid'] });
  // The id was removed from the account: it does not create a second one.
  await mira.call('PATCH', `/users/${String(first.body['userid'])}`, {
    sso_userid: null,
    current_password: 'a long password',
  });
  const again = await begin();
  expect(await bring(again.request, provider.answer(again.request, said))).toContain(
    'was taken from an account',
  );
});

test('SIGN-ON-13 an account is created when its device fetches the token, and not for a transient NameID', async () => {
  await setUp({ create_accounts: true });
  const people = async (): Promise<number> =>
    (await server.services.storage.reader.selectFrom('users').select('userid').execute()).length;
  const before = await people();
  const asking = await begin();
  const code = codeIn(await bring(asking.request, provider.answer(asking.request, { nameId: 'f-1' })));
  expect(await people()).toBe(before);
  expect((await redeem(asking, code)).status).toBe(201);
  expect(await people()).toBe(before + 1);
  const transient = await begin();
  const assertion = provider
    .assertion(transient.request, { nameId: 'once-1' })
    .replace('<saml:NameID>', '<saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:transient">');
  const page = await bring(
    transient.request,
    IdentityProvider.response(transient.request, provider.signed(assertion)),
  );
  expect(page).toContain('You are not signed in');
});

test('SIGN-ON-7 the audit log names who signed in, and unknown people named by the identity provider', async () => {
  const { request } = await begin();
  await bring(request, provider.answer(request, { nameId: 'eve@corp' }));
  const { body } = await signIn({});
  const rows = await listAudit(server.services.storage.reader, {}, { limit: 3, offset: 0 });
  expect(rows).toMatchObject([
    {
      action: 'POST /user/token/sign_on/redeem',
      outcome: 'done',
      object: 'user',
      objectid: String(ana.userid),
    },
    { action: 'POST /sign_on/assertions', outcome: 'done', object: 'user', objectid: String(ana.userid) },
    { action: 'POST /sign_on/assertions', outcome: 'refused', object: 'sign_on' },
  ]);
  expect(JSON.stringify(rows)).toContain('eve@corp');
  expect(JSON.stringify(rows)).not.toContain(String(body['authToken']));
});

// From here on the clock of the server moves ahead, never back.
test('SIGN-ON-10 a code expires after two minutes', async () => {
  const late = await begin();
  const lateCode = codeIn(await bring(late.request, provider.answer(late.request)));
  ahead += 121_000;
  expect((await redeem(late, lateCode)).status).toBe(401);
});

test('SIGN-ON-14 attempts are limited: invalid codes, and requests from one address', async () => {
  const wrong = (): Promise<Answer> => redeem({ verifier: 'v'.repeat(43) }, 'nothing');
  ahead += 3600_000;
  for (let tries = 0; tries < 10; tries += 1) expect((await wrong()).status).toBe(401);
  const refused = await wrong();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  ahead += 3600_000;
  const challenge = 'A'.repeat(43);
  const ask = (): Promise<Answer> => send('/user/token/sign_on', { challenge });
  for (let count = 0; count < 60; count += 1) expect((await ask()).status).toBe(201);
  expect(await ask()).toMatchObject({ status: 429 });
  ahead += 601_000;
  expect((await ask()).status).toBe(201);
});
