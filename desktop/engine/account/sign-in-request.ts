import { z } from 'zod';

import { isProblemCode, Problem, type ProblemKind, problemStatus } from '#shared/api/problem.ts';
import { impersonator, type Impersonator } from '#shared/model/session.ts';

import type { Platform } from '../journal/platform.ts';
import { passOverFullDisk } from '../platform/full-disk.ts';
import { foreignAnswer } from '../sync/own-answer.ts';
import { patientFetch } from '../sync/patient-fetch.ts';
import { excerptOf, jsonIn, refusalIn, type Refusal } from '../sync/recognise.ts';

/** Required fields of a successful sign-in; servers send more. */
const signedIn = z.object({
  userid: z.int(),
  username: z.string(),
  privileges: z.array(z.string()).default([]),
  authToken: z.string().min(1),
  /** The administrator who acts as this person with the token. */
  impersonator: impersonator.optional(),
  /** Proves to the server at the next sign-in that the person has signed in on this device before. */
  deviceKey: z.string().max(100).optional(),
  /** Absent at older servers. */
  accountid: z.string().optional(),
  serverid: z.string().optional(),
});

/** Authenticates a person: a password, or the result of a single sign-on. */
export type Proof =
  | { email: string; password: string }
  /** For a signed-in administrator: acts as another person. */
  | { impersonate: number }
  /** `verifier`: the secret that this device created when the single sign-on began (`actions/session.ts`). */
  | { code: string; verifier: string };

/** A session that the server has just granted; its home is not chosen yet. */
export interface Granted {
  server: string;
  user: Omit<z.infer<typeof signedIn>, 'authToken' | 'accountid' | 'serverid' | 'deviceKey'>;
  token: string;
  /** Null: the server is of a version that has no identities. */
  identity: { account: string; server: string } | null;
}

/** Secret with the keys by which servers know this device, by server and email address. A kiosk has many people. */
export const deviceKeysName = 'device-keys';
const deviceKeys = z.record(z.string(), z.string());
const mostDeviceKeys = 200;

/**
 * Requests a session from the server at `server`. `ownToken`: the token of the administrator, to act as another person.
 * @throws Problem with the server's words, or `unavailable` when the server does not answer
 */
export async function requestSession(
  platform: Platform,
  server: string,
  proof: Proof,
  ownToken: string | null,
): Promise<Granted> {
  const granted = await asKnownDevice(platform, server, proof, ownToken);
  const { authToken, accountid, serverid, deviceKey: _key, ...user } = granted;
  const identity =
    accountid === undefined || serverid === undefined
      ? null
      : { account: accountOf(accountid, user.impersonator), server: serverid };
  return { server, user, token: authToken, identity };
}

/** Requests a token with the key of this device, and stores the key that the server gives it. */
async function asKnownDevice(
  platform: Platform,
  server: string,
  proof: Proof,
  ownToken: string | null,
): Promise<z.infer<typeof signedIn>> {
  if (!('email' in proof)) return requestToken(platform, server, proof, ownToken);
  const name = `${server} ${proof.email.trim().toLowerCase()}`;
  const { secrets } = platform;
  const keys = deviceKeys.catch({}).parse(jsonIn((await secrets.read(deviceKeysName)) ?? '{}'));
  const device_key = keys[name];
  const known = { ...proof, ...(device_key === undefined ? {} : { device_key }) };
  const granted = await requestToken(platform, server, known, ownToken);
  const { deviceKey } = granted;
  if (deviceKey !== undefined && deviceKey !== device_key) {
    const others = Object.entries(keys).filter(([one]) => one !== name);
    const all = Object.fromEntries([...others.slice(1 - mostDeviceKeys), [name, deviceKey]]);
    // On a full disk, sign-in continues; the server gives a new key next time.
    await secrets.write(deviceKeysName, JSON.stringify(all)).catch(passOverFullDisk);
  }
  return granted;
}

async function requestToken(
  { appId, environment }: Platform,
  server: string,
  proof: Proof & { device_key?: string },
  ownToken: string | null,
): Promise<z.infer<typeof signedIn>> {
  const isActing = 'impersonate' in proof;
  const headers = {
    'Content-Type': 'application/json',
    ...(appId === null ? {} : { 'X-App-Id': appId }),
    ...(isActing && ownToken !== null ? { Authorization: `api ${ownToken}` } : {}),
  };
  const body = JSON.stringify(isActing ? { userid: proof.impersonate } : proof);
  const path = isActing
    ? '/user/token/impersonate'
    : 'code' in proof
      ? '/user/token/sign_on/redeem'
      : '/user/token';
  const fetch = patientFetch(environment.fetch, environment);
  let response: Response;
  let text: string;
  try {
    // Following a redirect would send the password to its target.
    const init: RequestInit = { method: 'POST', headers, body, redirect: 'manual' };
    response = await fetch(`${server}/api/2.0${path}`, init);
    text = await response.text();
  } catch (error) {
    throw new Problem('unavailable', unreachableMessage(server), { cause: error });
  }
  const answer = jsonIn(text);
  const refusal = response.ok ? null : refusalIn(answer);
  if (refusal !== null) throw problemOf(response.status, refusal);
  const parsed = signedIn.safeParse(answer);
  if (response.ok && parsed.success) return parsed.data;
  const said = excerptOf(text);
  throw new Problem(
    'unavailable',
    `Couldn’t sign you in: something between this device and ${server} answers in its place, or there is no server of this app.${said === '' ? '' : ` It says: “${said}”`}`,
    { cause: foreignAnswer(response, `/api/2.0${path}`, text) },
  );
}

/**
 * The account that a home belongs to. An administrator who acts as a person has another home than that person, whose
 * own sign-in would send the administrator's work (ACCOUNT-13).
 */
function accountOf(account: string, by: Impersonator | undefined): string {
  return by === undefined ? account : `${account} by ${by.userid}`;
}

/**
 * The address of a server from what a person types: with a scheme and without a slash at its end.
 * @throws Problem when the text is not an address
 */
export function serverAddress(text: string): string {
  const trimmed = text.trim();
  const isLocal = /^(localhost|127\.|\[::1\])/.test(trimmed);
  const whole = /^https?:\/\//.test(trimmed) ? trimmed : `${isLocal ? 'http' : 'https'}://${trimmed}`;
  try {
    const url = new URL(whole);
    return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  } catch (error) {
    throw new Problem('invalid', `${text} is not an address`, {
      cause: error,
      errors: [{ field: 'server', message: 'Not an address' }],
    });
  }
}

/** Error message for a server that does not answer. To a browser, a server that forbids this origin looks the same. */
export function unreachableMessage(server: string, page = globalThis.location?.origin ?? ''): string {
  const words = `${server} does not answer. Check the address and the network.`;
  const isElsewhere = page.startsWith('http') && URL.parse(server)?.origin !== page;
  return isElsewhere
    ? `${words} If both are right, ask its administrator to add ${page} to the setting cors_origins.`
    : words;
}

/** A refusal as the error that it was at the server. Older servers name a wrong password by the message alone. */
function problemOf(status: number, { code, message }: Refusal): Problem {
  const known = code ?? (message === 'Invalid login' ? 'wrong-login' : undefined);
  return new Problem(kindOf(status), message, isProblemCode(known) ? { code: known } : {});
}

function kindOf(status: number): ProblemKind {
  const found = Object.entries(problemStatus).find(([, one]) => one === status);
  return (found?.[0] as ProblemKind | undefined) ?? 'unavailable';
}
