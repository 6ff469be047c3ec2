import { BehaviorSubject, type Observable } from 'rxjs';
import { z } from 'zod';

import { isProblemCode, Problem, type ProblemKind, problemStatus } from '#shared/api/problem.ts';
import { impersonator, type Impersonator } from '#shared/model/session.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { Home } from './home.ts';
import {
  damageId,
  newDamage,
  parseDamage,
  seenDamage,
  shownDamage,
  withoutNames,
  type MissingName,
  type ToldDamage,
} from '../journal/damage.ts';
import { databaseName, nameOf } from '../storage/database.ts';
import { passOverFullDisk } from '../platform/full-disk.ts';
import type { AppendOptions, Journal, JournalRecord } from '../journal/journal.ts';
import { foreignAnswer } from '../sync/own-answer.ts';
import { patientFetch } from '../sync/patient-fetch.ts';
import type { Platform } from '../journal/platform.ts';
import { excerptOf, jsonIn, refusalIn, type Refusal } from '../sync/recognise.ts';
import type { Session } from '../api/sync-records.ts';

/** What an answer to signing in must hold; servers send more. */
const signedIn = z.object({
  userid: z.int(),
  username: z.string(),
  privileges: z.array(z.string()).default([]),
  authToken: z.string().min(1),
  /** The administrator who acts as this person with the token. */
  impersonator: impersonator.optional(),
  /** Proves to the server, when the person signs in again, that they did so on this device before. */
  deviceKey: z.string().max(100).optional(),
  /** Absent at servers of before. */
  accountid: z.string().optional(),
  serverid: z.string().optional(),
});

// What a newer version of the app adds is no reason to forget who is signed in.
const storedSession = z.object({
  server: z.string(),
  /** The person's home on this device; earlier versions named it after server and user. */
  home: z.string().optional(),
  user: z.object({
    userid: z.int(),
    username: z.string(),
    privileges: z.array(z.string()),
    impersonator: impersonator.optional(),
  }),
});
const remembered = storedSession.extend({
  /** The administrator's own session, restored when they stop acting as another person. */
  actsFrom: storedSession.optional(),
});
export type Remembered = z.infer<typeof remembered>;

/** A session whose home is known. */
export type Seated = Remembered & { home: string };

/** What proves to a server who somebody is: a password, or what a single sign-on brought back. */
export type Proof =
  | { email: string; password: string }
  /** For a signed-in administrator: acts as another person. */
  | { impersonate: number }
  /** `verifier`: what this device kept to itself when it began (`actions/sign-in.ts`). */
  | { code: string; verifier: string };

/** What the server has just granted; whose home it opens is not decided yet. */
export interface Granted {
  server: string;
  user: Remembered['user'];
  token: string;
  /** Null: the server is of a version that has no identities. */
  identity: { account: string; server: string } | null;
}

/** By server and e-mail address: the keys by which servers know this device. A kiosk has many people. */
const deviceKeysName = 'device-keys';
const deviceKeys = z.record(z.string(), z.string());
const mostDeviceKeys = 200;

const sessionId = 'session';
const serversId = 'servers';
const lossId = 'loss';

/** What was cleared on this device while the other half of its stores stayed. */
const storeLoss = z.enum(['journal', 'databases']);

/** Names the copy of servers and session among the secrets: outside the journal, so that one can tell the other's loss. */
const copyName = 'session';
const sessionCopy = z.object({ servers: z.array(z.string()), session: remembered.nullable() });
type SessionCopy = z.infer<typeof sessionCopy>;

/** What is stored of the session; `token`: its token. */
export type Known = SessionCopy & { token: string | null };

type Stored = Known & { loss: Session['loss']; damage: ToldDamage | null };

/** Tells other tabs that the stored session is another one now. */
const sessionWord = 'session';

/** Tells other tabs that the server refused a token; what is broadcast is no secret. */
async function expiredWord(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return `expired ${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

/**
 * Who is signed in where. The token lies in the platform's secret store, the rest in the journal's `meta`, with a copy
 * among the secrets: what one of the two lost comes back from the other, and the person is told (outbox README, OUTBOX-9).
 */
export class Sessions {
  readonly #platform: Platform;
  readonly #journal: Journal;
  readonly #state: BehaviorSubject<Session>;
  #token: string | null = null;
  #home: string | null = null;
  /** As it was stored when it was last looked at. */
  #damage: ToldDamage | null = null;

  constructor(platform: Platform, journal: Journal) {
    this.#platform = platform;
    this.#journal = journal;
    this.#state = new BehaviorSubject<Session>({
      server: platform.defaultServer,
      servers: [],
      user: null,
      home: null,
      homes: null,
      status: 'restoring',
      loss: null,
      elsewhere: [],
      damage: null,
    });
  }

  get state(): Observable<Session> {
    return this.#state;
  }

  current(): Session {
    return this.#state.value;
  }

  /** The token for this home at this address; null while it is another one's session, or another address (ACCOUNT-6). */
  tokenOf({ home, origin }: Pick<Home, 'home' | 'origin'>): string | null {
    return this.isOf({ home, origin }) ? this.#token : null;
  }

  isOf({ home, origin }: Pick<Home, 'home' | 'origin'>): boolean {
    const { server, user } = this.current();
    return user !== null && this.#home === home && server === origin;
  }

  /** The homes on this device, and what waits in those that are not open now. */
  showElsewhere(homes: readonly string[], elsewhere: Session['elsewhere']): void {
    this.#show({ homes, elsewhere: Object.freeze(elsewhere) as Session['elsewhere'] });
  }

  /** Servers, session and its token as they are stored. */
  async known(): Promise<Known> {
    const { servers, session, token } = await this.#platform.lock('session', () => this.#recovered());
    return { servers, session, token };
  }

  /**
   * The last session; its status stays `restoring` until `opened`. Null: nobody is signed in. `known`: the session that
   * counts, whatever is stored.
   */
  async restore(known?: Remembered | null): Promise<Seated | null> {
    const { askedServer = null, defaultServer, lock } = this.#platform;
    const { servers, session: stored, loss, damage } = await lock('session', () => this.#recovered());
    const last = known === undefined ? stored : known;
    // The last session stays stored: it is taken up again as soon as nobody asks for another server.
    const taken = askedServer === null || last?.server === askedServer ? last : null;
    const session = taken === null ? null : await seated(taken);
    this.#token = await this.#tokenOf(taken);
    this.#home = session?.home ?? null;
    this.#damage = damage;
    this.#show({
      servers,
      loss,
      server: askedServer ?? session?.server ?? servers[0] ?? defaultServer,
      user: session?.user ?? null,
      home: this.#home,
      status: session === null ? 'signed-out' : 'restoring',
    });
    return session;
  }

  /** Takes over what another tab stored if that is the present person's; false: somebody else, or nobody, is signed in. */
  async renew(): Promise<boolean> {
    const { session, token, loss, damage } = await this.#stored();
    if (session === null) return this.current().user === null;
    const { home } = await seated(session);
    if (!this.isOf({ home, origin: session.server })) return false;
    this.#damage = damage;
    this.#show({ loss });
    const isNew = token !== this.#token;
    this.#token = token;
    if (isNew) this.opened();
    return true;
  }

  /** The person's database is open. */
  opened(): void {
    this.#show({ status: this.#token === null ? 'expired' : 'signed-in' });
  }

  /** Asks the server for a session. Throws `Problem` with the server's words. */
  async ask(address: string, proof: Proof): Promise<Granted> {
    const server = serverAddress(address);
    const { authToken, accountid, serverid, deviceKey: _key, ...user } = await this.#prove(server, proof);
    const identity =
      accountid === undefined || serverid === undefined
        ? null
        : { account: accountOf(accountid, user.impersonator), server: serverid };
    return { server, user, token: authToken, identity };
  }

  /** The session that acting as another person returns to, with its token; null: no one is acting, or it has ended. */
  async actsFrom(): Promise<{ session: Seated; token: string } | null> {
    const { session } = await this.#stored();
    if (session?.actsFrom === undefined) return null;
    const own = await seated(session.actsFrom);
    const token = await this.#tokenOf(own);
    return token === null ? null : { session: own, token };
  }

  /** Makes a session the present one and remembers it. */
  async take(session: Seated, token: string): Promise<void> {
    const { server, user } = session;
    const servers = [server, ...this.current().servers.filter((one) => one !== server)];
    await this.#platform.secrets.write(await secretName(session), token);
    await this.#journal.append([
      { op: 'put', collection: 'meta', id: sessionId, value: session },
      { op: 'put', collection: 'meta', id: serversId, value: servers },
    ]);
    await this.#keepCopy({ servers, session });
    this.#token = token;
    this.#home = session.home;
    this.#show({ server, servers, user, home: session.home });
    this.#platform.tabs?.tell(sessionWord);
  }

  /** Remembers the session of before again in place of one that could not be opened, and forgets the token of that one. */
  async putBack({ session: last, token }: Known, { home, server }: Seated): Promise<void> {
    const { servers } = this.current();
    const isSamePlace = last?.home === home && last.server === server;
    // On a full disk each may fail, and each alone tells the next start who sat here.
    const results = await Promise.allSettled([
      token !== null && isSamePlace
        ? this.#platform.secrets.write(await secretName({ home, server }), token)
        : this.forgetToken({ home, origin: server }),
      this.#keepCopy({ servers, session: last }),
      this.#journal.append([
        last === null
          ? { op: 'delete', collection: 'meta', id: sessionId }
          : { op: 'put', collection: 'meta', id: sessionId, value: last },
      ]),
    ]);
    this.#platform.tabs?.tell(sessionWord);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  /** Nobody sits here; the stored session is taken up again at the next start. */
  setAside(): void {
    this.#token = null;
    this.#home = null;
    this.#show({ user: null, home: null, status: 'signed-out' });
  }

  /** Forgets session and token on this device. */
  async forget(): Promise<void> {
    const { server, servers, user } = this.current();
    const home = this.#home;
    this.setAside();
    if (server === null || user === null || home === null) return;
    // The copy goes first: a session that only it knows is one that the journal lost.
    await this.#keepCopy({ servers, session: null });
    await this.#journal.append([{ op: 'delete', collection: 'meta', id: sessionId }]);
    await this.forgetToken({ home, origin: server });
    await this.#platform.secrets.remove(await earlierSecretName(server, user.userid));
    this.#platform.tabs?.tell(sessionWord);
  }

  /** Forgets the token for a home at an address. */
  async forgetToken({ home, origin }: Pick<Home, 'home' | 'origin'>): Promise<void> {
    await this.#platform.secrets.remove(await secretName({ home, server: origin }));
  }

  /** The person has read what was lost. */
  async noteLossSeen(): Promise<void> {
    await this.#journal.forget('meta', [lossId]);
    await this.#changeDamage(seenDamage);
    this.#show({ loss: null });
    this.#platform.tabs?.tell(sessionWord);
  }

  /** Whether the database was there to give back what the journal had lost. */
  async noteCopies(hasCopies: boolean): Promise<void> {
    if (this.current().damage?.hasCopies !== null) return;
    await this.#changeDamage((damage) => ({ ...damage, hasCopies }), { canWait: true });
  }

  /** What the calls of a home are about that damage took. */
  async missingNames(home: string): Promise<MissingName[]> {
    const damage = await this.#storedDamage();
    return damage?.names.filter((one) => one.home === home) ?? [];
  }

  /** Takes names out of what is told of damage; false: there were none to take. */
  async forgetNames(isGone: (name: MissingName) => boolean): Promise<boolean> {
    const isChanged = await this.#changeDamage((damage) => withoutNames(damage, isGone));
    if (isChanged) this.#platform.tabs?.tell(sessionWord);
    return isChanged;
  }

  async #storedDamage(): Promise<ToldDamage | null> {
    const { values } = await this.#journal.changes('meta', 0);
    return parseDamage(values.get(damageId));
  }

  async #changeDamage(change: (damage: ToldDamage) => ToldDamage, options?: AppendOptions): Promise<boolean> {
    const damage = await this.#storedDamage();
    const value = damage === null ? null : change(damage);
    if (value === damage) return false;
    await this.#journal.append([{ op: 'put', collection: 'meta', id: damageId, value }], options);
    this.#damage = value;
    this.#show({});
    return true;
  }

  /**
   * The server no longer takes `token`: reading goes on, sending waits for sign-in. A late refusal of a token from before,
   * or of another person's, ends no session.
   */
  expire(token: string | null): void {
    if (token === null || token !== this.#token || this.current().status !== 'signed-in') return;
    this.#show({ status: 'expired' });
    void expiredWord(token).then(
      (word) => this.#platform.tabs?.tell(word),
      () => undefined,
    );
  }

  /** What another tab said: `changed` when it is about who is signed in. */
  async hear(word: string): Promise<'changed' | null> {
    if (word === sessionWord) return 'changed';
    const token = this.#token;
    const isExpired = token !== null && word === (await expiredWord(token)) && token === this.#token;
    if (isExpired && this.current().status === 'signed-in') this.#show({ status: 'expired' });
    return null;
  }

  async #stored(): Promise<Stored> {
    const { values: meta } = await this.#journal.changes('meta', 0);
    const servers = z.array(z.string()).catch([]).parse(meta.get(serversId));
    const session = remembered.safeParse(meta.get(sessionId)).data ?? null;
    const loss = storeLoss.safeParse(meta.get(lossId)).data ?? null;
    const damage = parseDamage(meta.get(damageId));
    return { servers, session, token: await this.#tokenOf(session), loss, damage };
  }

  /** What is stored, after journal and secrets have given each other what one of them lost. */
  async #recovered(): Promise<Stored> {
    const stored = await this.#stored();
    const { writable } = this.#journal.health();
    const text = await this.#platform.secrets.read(copyName);
    const copy = parseCopy(text);
    const damage = newDamage(this.#journal.health(), stored.damage);
    const known = { ...stored, damage: damage ?? stored.damage };
    const mended = copy === null ? null : await this.#mended(known, copy, damage !== null);
    // One append: damage that is noted is not found again, and would leave lost what was not given back with it.
    const records = [
      ...(damage === null ? [] : [entry(damageId, damage)]),
      ...(mended === null ? [] : entriesOf(mended)),
    ];
    // A journal that a newer version wrote is only read; what it lost is told all the same.
    if (records.length > 0 && writable) await this.#journal.append(records, { canWait: true });
    return mended ?? this.#withCopy(known, copy, text !== undefined);
  }

  /**
   * The copy in place of what the journal lost; null: it lost nothing. A sign-out empties the copy before the journal, so
   * a session that only the copy has was lost. Another one counts where damage may have taken it (OUTBOX-41).
   */
  async #mended(stored: Stored, copy: SessionCopy, isDamaged: boolean): Promise<Stored | null> {
    const { servers, session, loss } = stored;
    const token = await this.#tokenOf(copy.session);
    if (servers.length === 0) return { ...stored, ...copy, token, loss: isDamaged ? loss : 'journal' };
    const mayBeLost = session === null || (isDamaged && !sameValue(session, copy.session));
    return mayBeLost && token !== null ? { ...stored, ...copy, token } : null;
  }

  /** What the journal has, after it has given back what the secrets lost of it. */
  async #withCopy(stored: Stored, copy: SessionCopy | null, isCopied: boolean): Promise<Stored> {
    const { servers, session, token } = stored;
    // A session without a token could not be opened: the copy names the one of before, which a full journal did not take.
    if (session !== null && token === null && copy !== null && copy.session?.home !== session.home)
      return { ...stored, session: copy.session, token: await this.#tokenOf(copy.session) };
    if (servers.length === 0) return stored;
    if (isCopied) {
      // The app ended between the two. What cannot be stored now is stored at another start.
      if (copy !== null && token !== null && !sameValue(session, copy.session))
        await this.#keepCopy({ servers, session }).catch(() => undefined);
      // A copy that cannot be read is no loss of the databases.
      return stored;
    }
    // Without the note in the journal, the copy that is missing tells the next start.
    await this.#journal
      .append([entry(lossId, 'databases')])
      .then(() => this.#keepCopy({ servers, session }))
      .catch(passOverFullDisk);
    return { ...stored, loss: 'databases' };
  }

  async #tokenOf(session: Remembered | null): Promise<string | null> {
    if (session === null) return null;
    const { secrets } = this.#platform;
    const own = await secrets.read(await secretName(await seated(session)));
    if (own !== undefined || session.home !== undefined) return own ?? null;
    return (await secrets.read(await earlierSecretName(session.server, session.user.userid))) ?? null;
  }

  async #keepCopy(copy: SessionCopy): Promise<void> {
    await this.#platform.secrets.write(copyName, JSON.stringify(copy));
  }

  /** Requests a token, as a known device if it is one, and stores the key by which the server knows it. */
  async #prove(server: string, proof: Proof): Promise<z.infer<typeof signedIn>> {
    if (!('email' in proof)) return this.#askForToken(server, proof);
    const name = `${server} ${proof.email.trim().toLowerCase()}`;
    const { secrets } = this.#platform;
    const keys = deviceKeys.catch({}).parse(jsonIn((await secrets.read(deviceKeysName)) ?? '{}'));
    const device_key = keys[name];
    const granted = await this.#askForToken(server, {
      ...proof,
      ...(device_key === undefined ? {} : { device_key }),
    });
    const { deviceKey } = granted;
    if (deviceKey !== undefined && deviceKey !== device_key) {
      const others = Object.entries(keys).filter(([one]) => one !== name);
      const all = Object.fromEntries([...others.slice(1 - mostDeviceKeys), [name, deviceKey]]);
      // On a full disk, sign-in continues; the server gives a new key next time.
      await secrets.write(deviceKeysName, JSON.stringify(all)).catch(passOverFullDisk);
    }
    return granted;
  }

  async #askForToken(
    server: string,
    proof: Proof & { device_key?: string },
  ): Promise<z.infer<typeof signedIn>> {
    const { appId, environment } = this.#platform;
    const isActing = 'impersonate' in proof;
    const headers = {
      'Content-Type': 'application/json',
      ...(appId === null ? {} : { 'X-App-Id': appId }),
      ...(isActing && server === this.current().server ? { Authorization: `api ${this.#token}` } : {}),
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
      // A redirect would carry the password to wherever it leads.
      const init: RequestInit = { method: 'POST', headers, body, redirect: 'manual' };
      response = await fetch(`${server}/api/2.0${path}`, init);
      text = await response.text();
    } catch (error) {
      throw new Problem('unavailable', unreachableWords(server), { cause: error });
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

  #show(change: Partial<Session>): void {
    const damage = shownDamage(this.#damage, this.#home);
    this.#state.next(Object.freeze({ ...this.#state.value, ...change, damage }));
  }
}

function entry(id: string, value: unknown): JournalRecord {
  return { op: 'put', collection: 'meta', id, value };
}

/** What the journal is given back of servers and session, and that it had lost them. */
function entriesOf({ servers, session, loss }: Stored): JournalRecord[] {
  return [
    entry(serversId, servers),
    ...(session === null ? [] : [entry(sessionId, session)]),
    ...(loss === null ? [] : [entry(lossId, loss)]),
  ];
}

function parseCopy(text: string | undefined): SessionCopy | null {
  return text === undefined ? null : (sessionCopy.safeParse(jsonIn(text)).data ?? null);
}

/** An address as a person types it: with a scheme and without a slash at its end. Throws `Problem` when it is none. */
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

/**
 * Whose home it is. What an administrator does while acting as another person is never in that person's home, which
 * would send it as their own.
 */
function accountOf(account: string, by: Impersonator | undefined): string {
  return by === undefined ? account : `${account} by ${by.userid}`;
}

/** A session of an earlier version has the home that was named after server and user. */
async function seated(session: Remembered): Promise<Seated> {
  return { ...session, home: session.home ?? (await databaseName(session.server, session.user.userid)) };
}

/** A token is for one home at one address, and never read for another (ACCOUNT-6). */
async function secretName({ home, server }: Pick<Seated, 'home' | 'server'>): Promise<string> {
  return `token-${await nameOf(`${home}\n${server}`)}`;
}

async function earlierSecretName(server: string, userid: number): Promise<string> {
  return `token-${await databaseName(server, userid)}`;
}

/** What a person is told of a server that does not answer; browsers do not tell it from one that lets this page read nothing. */
export function unreachableWords(server: string, page = globalThis.location?.origin ?? ''): string {
  const words = `${server} does not answer. Check the address and the network.`;
  const isElsewhere = page.startsWith('http') && URL.parse(server)?.origin !== page;
  return isElsewhere
    ? `${words} If both are right, ask its administrator to add ${page} to the setting cors_origins.`
    : words;
}

/** A refusal as the error that it was at the server. Servers of before name a wrong password by their words alone. */
function problemOf(status: number, { code, message }: Refusal): Problem {
  const known = code ?? (message === 'Invalid login' ? 'wrong-login' : undefined);
  return new Problem(kindOf(status), message, isProblemCode(known) ? { code: known } : {});
}

function kindOf(status: number): ProblemKind {
  const found = Object.entries(problemStatus).find(([, one]) => one === status);
  return (found?.[0] as ProblemKind | undefined) ?? 'unavailable';
}
