import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ApprovalRequest } from '#shared/model/approval.ts';
import type { SignOnRequest, SignOnToken } from '#shared/model/sign-on.ts';
import { must } from '#shared/must.ts';
import { listAudit } from '#server/features/audit/list.ts';
import { headOf } from '#server/storage/audit/recorder.ts';
import { runCli } from '#server/cli/program.ts';
import { changeSite } from '#server/core/site.ts';
import { ok, openShop, password, type Shop } from '#test/support/approvals.ts';
import { IdentityProvider } from '#test/support/identity-provider.ts';
import { mailedBy, startMailServer } from '#test/support/mail-server.ts';
import { clientOf, type TestPerson } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';
import { scorm12, zipOf } from '#test/support/training-packages.ts';

interface SessionRow {
  sessionid: string;
  is_current: boolean;
}

const provider = new IdentityProvider();
const attackers = new IdentityProvider();
let mail: Awaited<ReturnType<typeof startMailServer>>;
let shop: Shop;
let names = 0;
/** The fixed time of the server's clock, ms; undefined: the real time. */
let stopped: number | undefined;

beforeAll(async () => {
  mail = await startMailServer();
  shop = await openShop({ now: () => stopped ?? Date.now() });
  await changeSite(shop.server.services, {
    ...mailedBy(mail),
    sign_on: {
      entry_point: provider.entryPoint,
      certificates: [provider.certificate],
      issuer: null,
      idp_issuer: null,
      attribute: null,
      sign_in_name: 'Corp',
      match_email: false,
      email_attribute: null,
      create_accounts: false,
      name_attribute: null,
    },
  });
});
afterAll(async () => {
  await shop[Symbol.asyncDispose]();
  await mail.close();
});

/** Waits for mails that are being sent, and discards them. */
async function noMails(): Promise<void> {
  await shop.server.services.mailer.idle();
  mail.mails.length = 0;
}

type Person = TestPerson & { email: string };

/** A person named by the second stage, through its team. */
async function signer(privileges: string[] = ['User']): Promise<Person> {
  names += 1;
  const made = await shop.server.person(`Signer${names}`, privileges);
  await ok(shop.mira.call('PUT', `/teams/${shop.teamid}/users/${made.userid}`, {}));
  return { ...made, email: `signer${names}@example.com` };
}

async function administrator(): Promise<Person> {
  names += 1;
  const made = await shop.server.person(`Admin${names}`, ['User', 'Admin']);
  return { ...made, email: `admin${names}@example.com` };
}

/** A request that waits for the team of the second stage. */
async function openRequest(): Promise<number> {
  const guide = await shop.guide();
  await ok(shop.ana.call('PUT', `/guides/${guide.guideid}/public?revisionid=${guide.revisionid}`));
  const { approval_requestid: id } = await shop.request(guide.guideid);
  await ok(shop.sign(shop.tom, id, 'review'));
  await ok(shop.sign(shop.tia, id, 'review'));
  return id;
}

const signatures = async (id: number): Promise<number> => {
  const request = await ok<ApprovalRequest>(shop.mira.call('GET', `/approvals/request/${id}`));
  return request.stages[1]?.signatures.length ?? 0;
};

async function signIn(email: string, secret: string): Promise<TestPerson['call'] | undefined> {
  const response = await fetch(`${shop.server.url}/api/2.0/user/token`, {
    method: 'POST',
    body: JSON.stringify({ email, password: secret }),
  });
  if (response.status !== 201) return undefined;
  return clientOf(shop.server.url, ((await response.json()) as { authToken: string }).authToken);
}

const send = (by: TestPerson | TestPerson['call']): TestPerson['call'] =>
  typeof by === 'function' ? by : (...call) => by.call(...call);

/** Signs with a password and a session. */
const sign = (by: TestPerson | TestPerson['call'], id: number, secret: string) =>
  send(by)('POST', `/approvals/request/sign/${id}`, { decision: 'approve', password: secret });

const profileOf = ({ userid }: { userid: number }): string => `/users/${userid}`;

/** A token from the identity provider that signs once. */
async function signOnToken(person: Person, nameId: string, by = provider): Promise<string> {
  const { sign_onid, url } = await ok<SignOnRequest>(person.call('POST', '/sign_on'));
  const SAMLResponse = by.answer(IdentityProvider.read(url), { nameId });
  await fetch(`${shop.server.url}/api/2.0/sign_on/assertions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ RelayState: sign_onid, SAMLResponse }),
  });
  const taken = await ok<SignOnToken>(person.call('POST', `/sign_on/${sign_onid}/token`));
  return must(taken.token, 'the token');
}

async function impersonate(admin: TestPerson, { userid }: { userid: number }): Promise<TestPerson['call']> {
  const made = await ok<{ authToken: string }>(admin.call('POST', '/user/token/impersonate', { userid }));
  return clientOf(shop.server.url, made.authToken);
}

/** A training module with a current version. */
async function moduleOf(admin: TestPerson): Promise<number> {
  const modules = '/external_training_modules';
  const made = await ok<{ importid: number; external_training_moduleid: number }>(
    admin.call('POST', `${modules}/imports`, { title: 'Lockout' }),
  );
  const { importid, external_training_moduleid: id } = made;
  const started = await fetch(`${shop.server.url}/api/2.0${modules}/imports/${importid}/start/byUpload`, {
    method: 'POST',
    headers: { Authorization: `api ${admin.token}` },
    body: Buffer.from(zipOf(scorm12())),
  });
  expect(started.status).toBe(202);
  await shop.server.jobs.idle();
  await ok(admin.call('PUT', `${modules}/${id}/current`, { importid }));
  return id;
}

function benchbook(...args: string[]): Promise<{ code: number; out: string }> {
  const out: string[] = [];
  return runCli([...args, '--data', shop.server.dataDir], {
    env: {},
    out: (line) => void out.push(line),
    err: (line) => void out.push(line),
    input: async () => '',
  }).then((code) => ({ code, out: out.join('\n') }));
}

const needsProof = {
  status: 422,
  body: { code: 'invalid', errors: [{ field: 'current_password', message: expect.any(String) }] },
};

describe('a session without a proof', () => {
  it('USER-13 sets no password with which it could sign', async () => {
    const tom = await signer();
    const id = await openRequest();
    for (const secret of [undefined, 'not the password', ''])
      expect(
        await tom.call('PATCH', profileOf(tom), { password: 'forged password', current_password: secret }),
      ).toMatchObject({ status: 422, body: { errors: [{ field: 'current_password' }] } });
    expect((await sign(tom, id, 'forged password')).status).toBe(422);
    expect(await signIn(tom.email, 'forged password')).toBeUndefined();
    expect(await signatures(id)).toBe(0);
    expect(
      (
        await tom.call('PATCH', profileOf(tom), {
          password: 'a password of my own',
          current_password: password,
        })
      ).status,
    ).toBe(200);
    expect((await sign(tom, id, 'a password of my own')).status).toBe(200);
  });

  it('USER-13 changes no address to receive a link for a new password', async () => {
    const tom = await signer();
    expect(await tom.call('PATCH', profileOf(tom), { email: 'attacker@example.com' })).toMatchObject(
      needsProof,
    );
    await noMails();
    await fetch(`${shop.server.url}/api/2.0/users/reset_password`, {
      method: 'POST',
      body: JSON.stringify({ email: 'attacker@example.com' }),
    });
    await new Promise((resolve) => setImmediate(resolve));
    await shop.server.services.mailer.idle();
    expect(mail.mails).toEqual([]);
    // An unchanged value needs no proof: clients send whole profiles.
    expect((await tom.call('PATCH', profileOf(tom), { email: tom.email, location: 'Graz' })).status).toBe(
      200,
    );
  });

  it("USER-13 of an administrator sets nobody's password, address or single sign-on id", async () => {
    const [tom, mira] = [await signer(), await administrator()];
    const id = await openRequest();
    for (const edit of [
      { password: 'forged password' },
      { email: 'attacker2@example.com' },
      { sso_userid: 'attacker@corp' },
    ])
      for (const person of [tom, mira])
        expect(await mira.call('PATCH', profileOf(person), edit)).toMatchObject(needsProof);
    expect(await signIn(tom.email, 'forged password')).toBeUndefined();
    expect((await sign(tom, id, 'forged password')).status).toBe(422);
  });

  it('USER-13 of an administrator makes nobody an administrator, who could then set passwords', async () => {
    const mira = await administrator();
    const made = await ok<{ userid: number; authToken: string }>(
      mira.call('POST', '/users', {
        email: 'accomplice@example.com',
        username: 'Accomplice',
        password: 'known password',
        current_password: password,
      }),
    );
    const grant = { privileges: ['User', 'Admin'] };
    expect(await mira.call('PATCH', profileOf(made), grant)).toMatchObject(needsProof);
    // An administrator remains one without a proof, and other privileges need none.
    expect((await mira.call('PATCH', profileOf(mira), grant)).status).toBe(200);
    expect((await mira.call('PATCH', profileOf(made), { privileges: ['Author'] })).status).toBe(200);
    expect((await mira.call('PATCH', profileOf(made), { ...grant, current_password: password })).status).toBe(
      200,
    );
  });

  it('USER-13 of an administrator changes neither identity provider nor mail server nor address of the site', async () => {
    const mira = await administrator();
    const tom = await signer();
    await ok(
      mira.call('PATCH', profileOf(tom), { sso_userid: `${tom.email}@corp`, current_password: password }),
    );
    const sign_on = { entry_point: attackers.entryPoint, certificates: [attackers.certificate] };
    const smtp = { host: '127.0.0.1', port: 1, from: 'attacker@example.com' };
    for (const edit of [
      { sign_on },
      { sign_on: null },
      { smtp },
      { smtp: null, address: null, sign_on: null },
      { address: 'https://attacker.example.org' },
    ])
      expect(await mira.call('PATCH', '/site', edit)).toMatchObject(needsProof);
    expect((await mira.call('PATCH', '/site', { title: 'Presses' })).status).toBe(200);
    expect(
      (await mira.call('PATCH', '/site', { address: 'https://guides.example.org', title: 'Guides' })).status,
    ).toBe(200);
    expect(
      (
        await mira.call('PATCH', '/site', {
          address: 'https://guides.example.org',
          smtp: null,
          current_password: 'no',
        })
      ).status,
    ).toBe(422);
  });

  it('USER-13 has no additional rights in a batch', async () => {
    const tom = await signer();
    const response = await fetch(`${shop.server.url}/sync/1/batch`, {
      method: 'POST',
      headers: { Authorization: `api ${tom.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        protocol: 5,
        calls: [
          {
            id: '0190c0de-0000-7000-8000-000000000001',
            lane: 'person',
            method: 'PATCH',
            path: profileOf(tom),
            body: { password: 'forged password' },
          },
        ],
      }),
    });
    expect(await response.text()).toContain('"status":422');
    expect(await signIn(tom.email, 'forged password')).toBeUndefined();
  });

  it('USER-13 cannot guess the password: wrong ones count with those of signing', async () => {
    const tom = await signer();
    const id = await openRequest();
    // The first waiting time is a second.
    stopped = Date.now();
    for (let count = 0; count < 5; count += 1) {
      const change = { password: 'forged password', current_password: `guess ${count}` };
      expect((await tom.call('PATCH', profileOf(tom), change)).status).toBe(422);
      expect((await sign(tom, id, `guess ${count}`)).status).toBe(422);
    }
    const change = { password: 'forged password', current_password: password };
    expect((await tom.call('PATCH', profileOf(tom), change)).status).toBe(429);
    expect((await sign(tom, id, password)).status).toBe(429);
    stopped = undefined;
    const [row] = await listAudit(
      shop.server.services.storage.reader,
      { action: 'PATCH /users/{userid}' },
      { limit: 1, offset: 0 },
    );
    expect(row).toMatchObject({ outcome: 'refused', userid: tom.userid });
    expect(JSON.stringify(row)).not.toContain('guess');
  });

  it('USER-13 cannot replay an idempotency key instead of a proof', async () => {
    const tom = await signer();
    const key = { 'Idempotency-Key': '0190c0de-0000-7000-8000-000000000002' };
    const mine = { password: 'a password of my own', current_password: password };
    expect((await tom.call('PATCH', profileOf(tom), mine, key)).status).toBe(200);
    expect((await tom.call('PATCH', profileOf(tom), { password: 'forged password' }, key)).status).toBe(422);
    expect(await signIn(tom.email, 'forged password')).toBeUndefined();
    const rows = await shop.server.services.storage.reader.selectFrom('idempotency').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(password);
  });
});

describe('with a proof of identity', () => {
  it('USER-13 a fresh single sign-on works too, once and for its person', async () => {
    const [tom, mira] = [await signer(), await administrator()];
    const nameId = `${tom.email}@sso`;
    await ok(mira.call('PATCH', profileOf(tom), { sso_userid: nameId, current_password: password }));
    const again = must(await signIn(tom.email, password), 'a session');
    const token = await signOnToken({ ...tom, call: again }, nameId);
    const edit = { password: 'a password of my own', sign_on_token: token };
    expect(await mira.call('PATCH', profileOf(tom), edit)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'sign_on_token' }] },
    });
    expect((await again('PATCH', profileOf(tom), edit)).status).toBe(200);
    expect((await again('PATCH', profileOf(tom), edit)).status).toBe(422);
    expect(await signIn(tom.email, 'a password of my own')).toBeDefined();
  });

  it('USER-14 other sessions and their signing tokens end, and the previous address is notified', async () => {
    const [tom, mira] = [await signer(), await administrator()];
    const id = await openRequest();
    const nameId = `${tom.email}@sso`;
    await ok(mira.call('PATCH', profileOf(tom), { sso_userid: nameId, current_password: password }));
    const session = must(await signIn(tom.email, password), 'a session');
    const other = must(await signIn(tom.email, password), 'a session');
    const token = await signOnToken({ ...tom, call: other }, nameId);
    await noMails();
    const edit = { password: 'a password of my own', current_password: password };
    expect((await session('PATCH', profileOf(tom), edit)).status).toBe(200);
    expect((await session('GET', '/user')).status).toBe(200);
    await soon(() => mail.mails.length).toBe(1);
    expect(mail.mails[0]).toMatchObject({ to: [tom.email], text: expect.stringContaining('password') });
    expect((await other('GET', '/user')).status).toBe(401);
    const late = await session('POST', `/approvals/request/sign/${id}/token`, { decision: 'approve', token });
    expect(late).toMatchObject({ status: 422, body: { errors: [{ field: 'token' }] } });
  });

  it('USER-14 the previous address is notified when a new one, requested by its owner, takes effect', async () => {
    const tom = await signer();
    await noMails();
    const edit = { email: `new-${tom.email}`, current_password: password };
    expect((await tom.call('PATCH', profileOf(tom), edit)).status).toBe(200);
    await soon(() => mail.mails.length).toBe(1);
    expect(mail.mails[0]?.to).toEqual([edit.email]);
    const link = /reset-password\?token=([\w-]{43})/.exec(mail.mails[0]?.text ?? '')?.[1] ?? '';
    await noMails();
    const confirmed = await fetch(`${shop.server.url}/api/2.0/users/reset_password/confirm`, {
      method: 'POST',
      body: JSON.stringify({ token: link, password: 'a password of my own' }),
    });
    expect(confirmed.status).toBe(204);
    expect((await tom.call('GET', '/user')).status).toBe(401);
    await soon(() => mail.mails.length).toBe(1);
    expect(mail.mails[0]?.to).toEqual([tom.email]);
    expect(mail.mails[0]?.text).toContain('e-mail address');
    expect(mail.mails[0]?.text).not.toContain(edit.email);
  });

  it('USER-14 the owner is notified when an administrator does it, and by whom', async () => {
    const [tom, mira] = [await signer(), await administrator()];
    for (const [edit, status] of [
      [{ password: 'set by an administrator' }, 401],
      // A new way to sign in, beside the existing ones.
      [{ sso_userid: `${tom.email}@sso` }, 200],
      [{ sso_userid: `${tom.email}@other` }, 401],
      [{ email: `new-${tom.email}` }, 401],
    ] as const) {
      await noMails();
      const session = await shop.server.session(tom);
      await ok(mira.call('PATCH', profileOf(tom), { ...edit, current_password: password }));
      expect((await session('GET', '/user')).status).toBe(status);
      await soon(() => mail.mails.length).toBe(1);
      expect(mail.mails[0]).toMatchObject({
        to: [tom.email],
        text: expect.stringContaining(`Admin${mira.email.replaceAll(/\D/g, '')}`),
      });
    }
    await noMails();
    expect((await benchbook('user', 'password', `new-${tom.email}`)).code).toBe(0);
    // The command uses the mail server of the site, and waits until the mail is sent.
    expect(mail.mails).toHaveLength(2);
    for (const to of [`new-${tom.email}`, tom.email])
      expect(mail.mails).toContainEqual(
        expect.objectContaining({ to: [to], text: expect.stringContaining('command line') }),
      );
  });
});

describe('a password set by another person', () => {
  const own = 'a password of my own';

  it('USER-15 by an administrator signs nothing until its owner sets their own', async () => {
    const [tom, mira] = [await signer(), await administrator()];
    const id = await openRequest();
    const given = 'set by an administrator';
    await ok(mira.call('PATCH', profileOf(tom), { password: given, current_password: password }));
    const session = must(await signIn(tom.email, given), 'a session');
    expect(await sign(session, id, given)).toMatchObject({
      status: 422,
      body: {
        errors: [{ field: 'password', message: expect.stringContaining('Another person set this password') }],
      },
    });
    expect(await signatures(id)).toBe(0);
    // It lets its owner set another one, and nothing else.
    for (const edit of [{ email: `x-${tom.email}` }, { email: `x-${tom.email}`, password: own }])
      expect((await session('PATCH', profileOf(tom), { ...edit, current_password: given })).status).toBe(422);
    expect(
      (await session('PATCH', profileOf(tom), { password: given, current_password: given })).status,
    ).toBe(422);
    expect((await session('PATCH', profileOf(tom), { password: own, current_password: given })).status).toBe(
      200,
    );
    expect((await sign(session, id, own)).status).toBe(200);
  });

  it('USER-15 by the command line, also for a new account, signs nothing', async () => {
    const id = await openRequest();
    const made = await benchbook('user', 'create', '--email', 'cli@example.com', '--name', 'Cli');
    const first = /([a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4})/.exec(made.out)?.[1] ?? '';
    const session = must(await signIn('cli@example.com', first), 'a session');
    const { userid } = await ok<{ userid: number }>(session('GET', '/user'));
    await ok(shop.mira.call('PUT', `/teams/${shop.teamid}/users/${userid}`, {}));
    expect((await sign(session, id, first)).status).toBe(422);
    const again = await benchbook('user', 'password', 'cli@example.com');
    const second = /([a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4})/.exec(again.out)?.[1] ?? '';
    expect((await sign(must(await signIn('cli@example.com', second), 'a session'), id, second)).status).toBe(
      422,
    );
    expect(await signatures(id)).toBe(0);
  });

  it('USER-15 for an account that an administrator registered signs nothing and proves nothing to others', async () => {
    const mira = await administrator();
    const id = await openRequest();
    const made = await ok<{ userid: number }>(
      mira.call('POST', '/users', {
        email: 'given@example.com',
        username: 'Given',
        password: 'known to two',
        current_password: password,
      }),
    );
    await ok(shop.mira.call('PUT', `/teams/${shop.teamid}/users/${made.userid}`, {}));
    const session = must(await signIn('given@example.com', 'known to two'), 'a session');
    expect((await sign(session, id, 'known to two')).status).toBe(422);
    await ok(
      mira.call('PATCH', profileOf(made), { privileges: ['User', 'Admin'], current_password: password }),
    );
    const tom = await signer();
    const forged = { password: 'forged password', current_password: 'known to two' };
    expect((await session('PATCH', profileOf(tom), forged)).status).toBe(422);
    expect(await ok(session('GET', '/user'))).toMatchObject({ must_set_password: true });
  });

  it('USER-15 is replaced through the link in an e-mail or one from the command line', async () => {
    const [tom, mira] = [await signer(), await administrator()];
    const id = await openRequest();
    await ok(mira.call('PATCH', profileOf(tom), { password: 'given password', current_password: password }));
    const made = await benchbook('user', 'reset-link', tom.email);
    const token = /\/reset-password\?token=([\w-]{43})/.exec(made.out)?.[1] ?? '';
    const confirmed = await fetch(`${shop.server.url}/api/2.0/users/reset_password/confirm`, {
      method: 'POST',
      body: JSON.stringify({ token, password: own }),
    });
    expect(confirmed.status).toBe(204);
    const session = must(await signIn(tom.email, own), 'a session');
    expect((await sign(session, id, own)).status).toBe(200);
  });
});

describe('an administrator who takes over an account', () => {
  const own = 'a password of the attacker';

  /** The mails since `noMails`, as address and text. */
  async function told(): Promise<{ to: string[]; text: string }[]> {
    await shop.server.services.mailer.idle();
    return mail.mails.map(({ to, text }) => ({ to, text }));
  }

  /** The changes of a person in the newest audit row of an action. */
  async function rowOf(action: string): Promise<string> {
    const [row] = await listAudit(shop.server.services.storage.reader, { action }, { limit: 1, offset: 0 });
    return JSON.stringify(must(row, 'a row'));
  }

  it('USER-17 with a password that they set and replace: the owner is notified at each step and at the first signature', async () => {
    const [tom, mira] = [await signer(), await administrator()];
    const [first, second] = [await openRequest(), await openRequest()];
    const who = `Admin${mira.email.replaceAll(/\D/g, '')}`;
    const given = 'set by an administrator';
    await noMails();
    await ok(mira.call('PATCH', profileOf(tom), { password: given, current_password: password }));
    await soon(() => mail.mails.length).toBe(1);
    expect(mail.mails[0]?.text).toContain(`the administrator ${who}`);
    const session = must(await signIn(tom.email, given), 'a session');
    await ok(session('PATCH', profileOf(tom), { password: own, current_password: given }));
    await soon(() => mail.mails.length).toBe(2);
    await ok(sign(session, first, own));
    await soon(() => mail.mails.length).toBe(3);
    expect(mail.mails.map(({ to }) => to)).toEqual([[tom.email], [tom.email], [tom.email]]);
    expect(mail.mails[2]?.text).toContain('was signed with your account');
    expect(mail.mails[2]?.text).toContain(`the administrator ${who}`);
    // The log shows the same: who set it, and with which signature that ended.
    expect(await rowOf('POST /approvals/request/sign/{approval_requestid}')).toContain(
      `"old":{"access_by":${mira.userid}`,
    );
    await noMails();
    await ok(sign(session, second, own));
    expect(await told()).toEqual([]);
  });

  it('USER-17 with another address: the previous one is notified, also of later changes', async () => {
    const [tom, mira] = [await signer(), await administrator()];
    const id = await openRequest();
    const email = `attacker-${tom.email}`;
    await noMails();
    await ok(mira.call('PATCH', profileOf(tom), { email, current_password: password }));
    await soon(() => mail.mails.length).toBe(1);
    expect(mail.mails[0]?.to).toEqual([tom.email]);
    await noMails();
    await fetch(`${shop.server.url}/api/2.0/users/reset_password`, {
      method: 'POST',
      body: JSON.stringify({ email }),
    });
    await soon(() => mail.mails.length).toBe(1);
    const token = /token=([\w-]{43})/.exec(mail.mails[0]?.text ?? '')?.[1] ?? '';
    await noMails();
    const confirmed = await fetch(`${shop.server.url}/api/2.0/users/reset_password/confirm`, {
      method: 'POST',
      body: JSON.stringify({ token, password: own }),
    });
    expect(confirmed.status).toBe(204);
    await soon(() => mail.mails.length).toBe(2);
    expect(new Set(mail.mails.flatMap(({ to }) => to))).toEqual(new Set([email, tom.email]));
    const session = must(await signIn(email, own), 'a session');
    await noMails();
    // An address chosen while acting as the person does not end it either.
    const next = `next-${tom.email}`;
    await ok(mira.call('PATCH', profileOf(tom), { email: next, current_password: password }));
    await soon(() => mail.mails.length).toBe(2);
    expect(new Set(mail.mails.flatMap(({ to }) => to))).toEqual(new Set([email, tom.email]));
    expect((await session('GET', '/user')).status).toBe(401);
    const again = must(await signIn(next, own), 'a session');
    await noMails();
    await ok(sign(again, id, own));
    await soon(() => mail.mails.length).toBe(2);
    expect(new Set(mail.mails.flatMap(({ to }) => to))).toEqual(new Set([next, tom.email]));
  });

  it('USER-17 with their own single sign-on id: the owner is notified at the first signature', async () => {
    const [tom, mira] = [await signer(), await administrator()];
    const id = await openRequest();
    const nameId = `${mira.email}@sso`;
    await ok(mira.call('PATCH', profileOf(tom), { sso_userid: nameId, current_password: password }));
    const token = await signOnToken(tom, nameId);
    await noMails();
    await ok(tom.call('POST', `/approvals/request/sign/${id}/token`, { decision: 'approve', token }));
    await soon(() => mail.mails.length).toBe(1);
    expect(mail.mails[0]).toMatchObject({
      to: [tom.email],
      text: expect.stringContaining('was signed with'),
    });
  });

  it("USER-17 previous addresses are not notified forever of a person's own changes", async () => {
    const [tom, mira] = [await signer(), await administrator()];
    await ok(mira.call('PATCH', profileOf(tom), { email: `new-${tom.email}`, current_password: password }));
    await shop.server.services.storage.write({ userid: null, name: 'Test', action: 'test' }, (tx) =>
      tx
        .updateTable('users')
        .set({ access_date: Math.floor(Date.now() / 1000) - 91 * 24 * 3600 })
        .where('userid', '=', tom.userid)
        .execute(),
    );
    await noMails();
    const session = must(await signIn(`new-${tom.email}`, password), 'a session');
    await ok(session('PATCH', profileOf(tom), { password: own, current_password: password }));
    await soon(() => mail.mails.length).toBe(1);
    expect((await told()).map(({ to }) => to)).toEqual([[`new-${tom.email}`]]);
  });

  it('USER-17 with their own mail server or identity provider: the other administrators are notified through the previous mail server', async () => {
    const [mira, noor] = [await administrator(), await administrator()];
    const others = await startMailServer();
    const server = { host: '127.0.0.1', tls: false, user: 'guides', password: 'canary-smtp' };
    try {
      await noMails();
      await ok(
        mira.call('PATCH', '/site', {
          smtp: { ...server, port: others.port, from: 'attacker@example.com' },
          current_password: password,
        }),
      );
      await soon(() => mail.mails.some(({ to }) => to.includes(noor.email))).toBe(true);
      const toNoor = must(
        mail.mails.find(({ to }) => to.includes(noor.email)),
        'a mail',
      );
      expect(toNoor.text).toContain('mail server');
      expect(toNoor.text).toContain(`Admin${mira.email.replaceAll(/\D/g, '')}`);
      expect(mail.mails.some(({ to }) => to.includes(mira.email))).toBe(false);
      await shop.server.services.mailer.idle();
      expect(others.mails).toEqual([]);
      await ok(
        mira.call('PATCH', '/site', {
          smtp: { ...server, port: mail.port, from: 'guides@example.org' },
          current_password: password,
        }),
      );
      await soon(() => others.mails.some(({ to }) => to.includes(noor.email))).toBe(true);
    } finally {
      await others.close();
    }
  });
});

describe('acting as another person', () => {
  it('USER-13 changes nothing about how that person signs in, with any proof', async () => {
    const [tom, mira] = [await signer(), await administrator()];
    const call = await impersonate(mira, tom);
    for (const edit of [
      { password: 'forged password' },
      { email: 'attacker3@example.com' },
      { sso_userid: 'x' },
      { email: tom.email },
    ])
      for (const proof of [{}, { current_password: password }])
        expect((await call('PATCH', profileOf(tom), { ...edit, ...proof })).status).toBe(403);
    expect((await call('PATCH', profileOf(tom), { location: 'Graz' })).status).toBe(200);
    expect((await call('POST', '/sign_on')).status).toBe(403);
    const id = await openRequest();
    expect((await sign(call, id, password)).status).toBe(403);
    expect(
      (await call('POST', `/approvals/request/sign/${id}/token`, { decision: 'approve', token: 'x' })).status,
    ).toBe(403);
  });

  it('SITE-16 is never possible as an administrator, nor as a person who becomes one meanwhile', async () => {
    const [tom, mira, noor] = [await signer(), await administrator(), await administrator()];
    expect((await mira.call('POST', '/user/token/impersonate', { userid: noor.userid })).status).toBe(403);
    expect((await mira.call('POST', '/user/token/impersonate', { userid: mira.userid })).status).toBe(403);
    const call = await impersonate(mira, tom);
    const grant = { privileges: ['User', 'Admin'], current_password: password };
    await ok(noor.call('PATCH', profileOf(tom), grant));
    expect((await call('GET', '/user')).status).toBe(401);
    expect((await call('PATCH', profileOf(mira), { enabled: false })).status).toBe(401);
  });

  it('SITE-17 ends when either person is disabled, demoted or gets a password, or the administrator signs out', async () => {
    const ends: [string, (tom: Person, mira: Person, noor: Person) => Promise<unknown>][] = [
      [
        'administrator closed',
        (_, mira, noor) => ok(noor.call('PATCH', profileOf(mira), { enabled: false })),
      ],
      ['closed by the command line', (_, mira) => benchbook('user', 'disable', mira.email)],
      ['demoted', (_, mira, noor) => ok(noor.call('PATCH', profileOf(mira), { privileges: ['User'] }))],
      [
        'made a kiosk',
        (_, mira, noor) => ok(noor.call('PATCH', profileOf(mira), { privileges: ['Admin', 'Kiosk'] })),
      ],
      ['signed out', (_, mira) => ok(mira.call('DELETE', '/user/token'))],
      [
        'own password changed',
        (_, mira) =>
          ok(
            mira.call('PATCH', profileOf(mira), { password: 'another one here', current_password: password }),
          ),
      ],
      [
        'password set by another administrator',
        (_, mira, noor) =>
          ok(
            noor.call('PATCH', profileOf(mira), { password: 'another one here', current_password: password }),
          ),
      ],
      ['their session ended', (_, mira, noor) => ok(noor.call('DELETE', `${profileOf(mira)}/sessions`))],
      ['person closed', (tom, _, noor) => ok(noor.call('PATCH', profileOf(tom), { enabled: false }))],
      [
        'person gets a password',
        (tom, _, noor) =>
          ok(
            noor.call('PATCH', profileOf(tom), { password: 'another one here', current_password: password }),
          ),
      ],
      [
        'person changes their password',
        (tom) =>
          ok(tom.call('PATCH', profileOf(tom), { password: 'another one here', current_password: password })),
      ],
      ['person ends their other sessions', (tom) => ok(tom.call('DELETE', `${profileOf(tom)}/sessions`))],
    ];
    for (const [what, end] of ends) {
      const [tom, mira, noor] = [await signer(), await administrator(), await administrator()];
      const call = await impersonate(mira, tom);
      expect((await call('GET', '/user')).status, what).toBe(200);
      await end(tom, mira, noor);
      expect((await call('GET', '/user')).status, what).toBe(401);
      expect((await call('PATCH', profileOf(tom), { location: 'Graz' })).status, what).toBe(401);
    }
  });

  it('SITE-17 a disabled administrator cannot return through it, and nothing revives it', async () => {
    const [tom, mira, noor] = [await signer(), await administrator(), await administrator()];
    const call = await impersonate(mira, tom);
    await ok(noor.call('PATCH', profileOf(mira), { privileges: ['User'] }));
    await ok(
      noor.call('PATCH', profileOf(mira), { privileges: ['User', 'Admin'], current_password: password }),
    );
    expect((await call('GET', '/user')).status).toBe(401);
  });

  it('SITE-18 is visible in the own record, in the list of sessions, and in every audit row', async () => {
    const [tom, mira] = [await signer(['User', 'Author']), await administrator()];
    const made = await ok<{ authToken: string; impersonator: unknown }>(
      mira.call('POST', '/user/token/impersonate', { userid: tom.userid }),
    );
    const who = { userid: mira.userid, username: expect.stringMatching(/^Admin/) };
    expect(made.impersonator).toEqual(who);
    const call = clientOf(shop.server.url, made.authToken);
    expect(await ok(call('GET', '/user'))).toMatchObject({ impersonator: who });
    expect(await ok(tom.call('GET', '/user'))).not.toHaveProperty('impersonator');
    expect(await ok(tom.call('GET', `${profileOf(tom)}/sessions`))).toContainEqual(
      expect.objectContaining({ impersonator: who, is_current: false }),
    );
    const { body: team } = await shop.mira.call('POST', '/teams', {
      name: `Closed ${names}`,
      join_code: 'right code',
      owner: shop.quinn.userid,
    });
    const { teamid } = team as { teamid: number };
    const membership = `/teams/${teamid}/users/${tom.userid}`;
    expect((await call('PUT', membership, { join_code: 'wrong code' })).status).toBe(403);
    expect((await call('PUT', membership, { join_code: 'right code' })).status).toBeLessThan(300);
    expect((await call('POST', '/user/token/impersonate', { userid: shop.tia.userid })).status).toBe(403);
    const guide = { category: 'Workshop', type: 'repair', title: 'By another', steps: [] };
    expect((await call('POST', '/guides', guide)).status).toBe(201);
    expect((await call('DELETE', '/user/token')).status).toBe(204);
    const rows = await listAudit(
      shop.server.services.storage.reader,
      { userid: tom.userid },
      { limit: 50, offset: 0 },
    );
    const since = rows.filter(({ action }) => !/impersonate/.test(action)).slice(0, 5);
    expect(since.map(({ action }) => action)).toContain('DELETE /user/token');
    expect(since.filter(({ impersonator }) => impersonator !== mira.userid)).toEqual([]);
  });

  it('SITE-18 background jobs name the administrator who started them', async () => {
    const [tom, mira] = [await signer(['User', 'Author']), await administrator()];
    await shop.server.jobs.idle();
    const { seq: before } = await headOf(shop.server.services.storage.reader);
    const call = await impersonate(mira, tom);
    const guide = await ok<{ guideid: number }>(
      call('POST', '/guides', { category: 'Workshop', type: 'repair', title: 'Kept', steps: [] }),
    );
    await ok(call('POST', '/omanual/archives', { guideids: [guide.guideid] }));
    await shop.server.jobs.idle();
    const rows = await listAudit(
      shop.server.services.storage.reader,
      { since: 0 },
      { limit: 200, offset: 0 },
    );
    const ofJob = rows.filter(({ seq, action }) => seq > before && /^job |archives/.test(action));
    expect(ofJob.length).toBeGreaterThan(0);
    expect(ofJob.filter(({ impersonator }) => impersonator !== mira.userid)).toEqual([]);
  });

  it('SITE-18 opens no training module, whose reports would not name the administrator', async () => {
    const [tom, mira] = [await signer(['User', 'Author', 'Moderator']), await administrator()];
    const call = await impersonate(mira, tom);
    const docid = await moduleOf(mira);
    const stages = [{ doctype: 'external_training_module', docid }];
    const course = await ok<{ courseid: number }>(
      mira.call('POST', '/courses', { title: 'Lockout', stages }),
    );
    await ok(mira.call('POST', `/courses/${course.courseid}/assignments`, { userid: tom.userid }));
    const player = `/external_training_modules/${docid}/player`;
    expect((await tom.call('GET', player)).status).toBe(200);
    expect((await call('GET', player)).status).toBe(403);
  });
});

describe('sessions', () => {
  it('USER-16 people list and end their own sessions, and administrators those of others', async () => {
    const [tom, lea, mira] = [await signer(), await signer(), await administrator()];
    const path = `${profileOf(tom)}/sessions`;
    const other = must(await signIn(tom.email, password), 'a session');
    const third = await shop.server.session(tom);
    const sessions = await ok<SessionRow[]>(other('GET', path));
    expect(sessions).toHaveLength(3);
    expect(sessions.filter((one) => one.is_current)).toMatchObject([
      { address: '127.0.0.1', device: 'node', impersonator: null, created_date: expect.any(Number) },
    ]);
    expect(JSON.stringify(sessions)).not.toContain('bb_');
    const rows = await shop.server.services.storage.reader
      .selectFrom('tokens')
      .select('token_hash')
      .where('userid', '=', tom.userid)
      .execute();
    for (const { token_hash } of rows) expect(JSON.stringify(sessions)).not.toContain(token_hash);
    // No other person can do it, and nobody with the id of another person's session.
    expect((await lea.call('GET', path)).status).toBe(403);
    expect((await lea.call('DELETE', path)).status).toBe(403);
    const ofTom = must(
      sessions.find((one) => !one.is_current),
      'another session',
    ).sessionid;
    expect((await lea.call('DELETE', `${profileOf(lea)}/sessions/${ofTom}`)).status).toBe(404);
    expect((await lea.call('DELETE', `${path}/${ofTom}`)).status).toBe(403);
    const current = must(
      (await ok<SessionRow[]>(third('GET', path))).find((one) => one.is_current),
      'the current session',
    );
    expect((await other('DELETE', `${path}/${current.sessionid}`)).status).toBe(204);
    expect((await third('GET', '/user')).status).toBe(401);
    expect((await other('DELETE', `${path}/${current.sessionid}`)).status).toBe(404);
    expect((await other('DELETE', path)).status).toBe(204);
    expect((await tom.call('GET', '/user')).status).toBe(401);
    expect((await other('GET', '/user')).status).toBe(200);
    expect(await ok<SessionRow[]>(mira.call('GET', path))).toHaveLength(1);
    expect((await mira.call('DELETE', path)).status).toBe(204);
    expect((await other('GET', '/user')).status).toBe(401);
    expect((await mira.call('GET', '/user')).status).toBe(200);
  });

  it('USER-16 an event stream ends with its session', async () => {
    const tom = await signer();
    const stream = await fetch(`${shop.server.url}/sync/1/events?since=0.0&protocol=5`, {
      headers: { Authorization: `api ${tom.token}` },
    });
    expect(stream.status).toBe(200);
    const done = stream.text();
    const other = await shop.server.session(tom);
    expect((await other('DELETE', `${profileOf(tom)}/sessions`)).status).toBe(204);
    // A write wakes it.
    await ok(other('PATCH', profileOf(tom), { location: 'Graz' }));
    expect(await done).toContain('event: head');
  });
});
