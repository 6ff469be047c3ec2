import { expect } from 'vitest';

import type { ApprovalRequest } from '#shared/model/approval.ts';
import type { SignOnRequest, SignOnToken } from '#shared/model/sign-on.ts';
import { must } from '#shared/must.ts';
import { runCli } from '#server/cli/program.ts';
import { changeSite } from '#server/core/site.ts';
import { ok, openShop, type Shop } from '#test/support/approvals.ts';
import { IdentityProvider } from '#test/support/identity-provider.ts';
import { mailedBy, startMailServer } from '#test/support/mail-server.ts';
import { clientOf, type TestPerson } from '#test/support/server.ts';
import { scorm12, zipOf } from '#test/support/training-packages.ts';

export interface SessionRow {
  sessionid: string;
  is_current: boolean;
}

const provider = new IdentityProvider();
/** The identity provider of an attacker. */
export const attackers = new IdentityProvider();
/** The mail server of the site. */
export let mail: Awaited<ReturnType<typeof startMailServer>>;
/** The site under attack. */
export let shop: Shop;
/** Number of people so far, for unique names. */
let names = 0;

/** The fixed time of the server's clock, ms; undefined: the real time. */
let stopped: number | undefined;

/** Waits for mails that are being sent, and discards them. */
export async function noMails(): Promise<void> {
  await shop.server.services.mailer.idle();
  mail.mails.length = 0;
}

export type Person = TestPerson & { email: string };

/** A person named by the second stage, through its team. */
export async function signer(privileges: string[] = ['User']): Promise<Person> {
  names += 1;
  const made = await shop.server.person(`Signer${names}`, privileges);
  await ok(shop.mira.call('PUT', `/teams/${shop.teamid}/users/${made.userid}`, {}));
  return { ...made, email: `signer${names}@example.com` };
}

export async function administrator(): Promise<Person> {
  names += 1;
  const made = await shop.server.person(`Admin${names}`, ['User', 'Admin']);
  return { ...made, email: `admin${names}@example.com` };
}

/** A request that waits for the team of the second stage. */
export async function openRequest(): Promise<number> {
  const guide = await shop.guide();
  await ok(shop.ana.call('PUT', `/guides/${guide.guideid}/public?revisionid=${guide.revisionid}`));
  const { approval_requestid: id } = await shop.request(guide.guideid);
  await ok(shop.sign(shop.tom, id, 'review'));
  await ok(shop.sign(shop.tia, id, 'review'));
  return id;
}

export const signatures = async (id: number): Promise<number> => {
  const request = await ok<ApprovalRequest>(shop.mira.call('GET', `/approvals/request/${id}`));
  return request.stages[1]?.signatures.length ?? 0;
};

export async function signIn(email: string, secret: string): Promise<TestPerson['call'] | undefined> {
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
export const sign = (by: TestPerson | TestPerson['call'], id: number, secret: string) =>
  send(by)('POST', `/approvals/request/sign/${id}`, { decision: 'approve', password: secret });

export const profileOf = ({ userid }: { userid: number }): string => `/users/${userid}`;

/** A token from the identity provider that signs once. */
export async function signOnToken(person: Person, nameId: string, by = provider): Promise<string> {
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

export async function impersonate(
  admin: TestPerson,
  { userid }: { userid: number },
): Promise<TestPerson['call']> {
  const made = await ok<{ authToken: string }>(admin.call('POST', '/user/token/impersonate', { userid }));
  return clientOf(shop.server.url, made.authToken);
}

/** A training module with a current version. */
export async function moduleOf(admin: TestPerson): Promise<number> {
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

export function benchbook(...args: string[]): Promise<{ code: number; out: string }> {
  const out: string[] = [];
  return runCli([...args, '--data', shop.server.dataDir], {
    env: {},
    out: (line) => void out.push(line),
    err: (line) => void out.push(line),
    input: async () => '',
  }).then((code) => ({ code, out: out.join('\n') }));
}

export const needsProof = {
  status: 422,
  body: { code: 'invalid', errors: [{ field: 'current_password', message: expect.any(String) }] },
};

/** Fixes the server's clock, or releases it (undefined). */
export function stopClock(at: number | undefined): void {
  stopped = at;
}

/** Starts the mail server and the site for the running test file. */
export async function startWorld(): Promise<void> {
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
}

/** Ends both. */
export async function endWorld(): Promise<void> {
  await shop[Symbol.asyncDispose]();
  await mail.close();
}
