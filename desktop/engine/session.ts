import { BehaviorSubject, type Observable } from 'rxjs';
import { z } from 'zod';

import { Problem, type ProblemKind, problemStatus } from '#shared/api/problem.ts';

import { databaseName } from './database.ts';
import type { Journal } from './journal/journal.ts';
import type { Platform } from './platform.ts';
import type { Session } from './views/records.ts';

/** What an answer to signing in must hold; servers send more. */
const signedIn = z.object({
  userid: z.int(),
  username: z.string(),
  privileges: z.array(z.string()).default([]),
  authToken: z.string().min(1),
});

const remembered = z.strictObject({
  server: z.string(),
  user: z.strictObject({ userid: z.int(), username: z.string(), privileges: z.array(z.string()) }),
});
export type Remembered = z.infer<typeof remembered>;

/** A session that the server has just granted. */
export interface Granted {
  session: Remembered;
  token: string;
}

const sessionId = 'session';
const serversId = 'servers';

/** Tells other tabs that the stored session is another one now. */
const sessionWord = 'session';

/** Tells other tabs that the server refused a token; what is broadcast is no secret. */
async function expiredWord(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return `expired ${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

/** Who is signed in where. The token lies in the platform's secret store, the rest in the journal's `meta`. */
export class Sessions {
  readonly #platform: Platform;
  readonly #journal: Journal;
  readonly #state: BehaviorSubject<Session>;
  #token: string | null = null;

  constructor(platform: Platform, journal: Journal) {
    this.#platform = platform;
    this.#journal = journal;
    this.#state = new BehaviorSubject<Session>({
      server: platform.defaultServer,
      servers: [],
      user: null,
      status: 'restoring',
    });
  }

  get state(): Observable<Session> {
    return this.#state;
  }

  current(): Session {
    return this.#state.value;
  }

  /** The token of this person; null while it is another one's session. */
  tokenOf(server: string, userid: number): string | null {
    return this.isOf(server, userid) ? this.#token : null;
  }

  isOf(server: string, userid: number): boolean {
    const { server: present, user } = this.current();
    return user !== null && present === server && user.userid === userid;
  }

  /** The last session; its status stays `restoring` until `opened`. Null: nobody is signed in. */
  async restore(): Promise<Remembered | null> {
    const { servers, session, token } = await this.#stored();
    this.#token = token;
    this.#show({
      servers,
      server: session?.server ?? servers[0] ?? this.#platform.defaultServer,
      user: session?.user ?? null,
      status: session === null ? 'signed-out' : 'restoring',
    });
    return session;
  }

  /** Takes over what another tab stored if that is the present person's; false: somebody else, or nobody, is signed in. */
  async renew(): Promise<boolean> {
    const { session, token } = await this.#stored();
    if (session === null) return this.current().user === null;
    if (!this.isOf(session.server, session.user.userid)) return false;
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
  async ask(address: string, email: string, password: string): Promise<Granted> {
    const server = serverAddress(address);
    const { authToken, ...user } = await this.#askForToken(server, email, password);
    return { session: { server, user }, token: authToken };
  }

  /** Makes a session the present one and remembers it. */
  async take({ session, token }: Granted): Promise<void> {
    const { server, user } = session;
    const servers = [server, ...this.current().servers.filter((one) => one !== server)];
    await this.#platform.secrets.write(await secretName(session), token);
    await this.#journal.append([
      { op: 'put', collection: 'meta', id: sessionId, value: session },
      { op: 'put', collection: 'meta', id: serversId, value: servers },
    ]);
    this.#token = token;
    this.#show({ server, servers, user });
    this.#platform.tabs?.tell(sessionWord);
  }

  /** Forgets session and token on this device. */
  async forget(): Promise<void> {
    const { server, user } = this.current();
    this.#token = null;
    this.#show({ user: null, status: 'signed-out' });
    if (server === null || user === null) return;
    await this.#journal.append([{ op: 'delete', collection: 'meta', id: sessionId }]);
    await this.#platform.secrets.remove(await secretName({ server, user }));
    this.#platform.tabs?.tell(sessionWord);
  }

  /** The server no longer takes the token: reading goes on, sending waits for sign-in. */
  expire(): void {
    if (this.current().status !== 'signed-in') return;
    this.#show({ status: 'expired' });
    const token = this.#token;
    if (token !== null)
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

  async #stored(): Promise<{ servers: string[]; session: Remembered | null; token: string | null }> {
    const { meta } = await this.#journal.entries();
    const servers = z.array(z.string()).catch([]).parse(meta.get(serversId));
    const session = remembered.safeParse(meta.get(sessionId)).data ?? null;
    const token = session === null ? undefined : await this.#platform.secrets.read(await secretName(session));
    return { servers, session, token: token ?? null };
  }

  async #askForToken(server: string, email: string, password: string): Promise<z.infer<typeof signedIn>> {
    const { appId, environment } = this.#platform;
    const headers = { 'Content-Type': 'application/json', ...(appId === null ? {} : { 'X-App-Id': appId }) };
    const body = JSON.stringify({ email, password });
    let response: Response;
    try {
      response = await environment.fetch(`${server}/api/2.0/user/token`, { method: 'POST', headers, body });
    } catch (error) {
      throw new Problem('unavailable', `${server} could not be reached`, { cause: error });
    }
    const answer: unknown = await response.json().catch(() => null);
    if (!response.ok) throw new Problem(kindOf(response.status), wordsOf(answer, response.status));
    const parsed = signedIn.safeParse(answer);
    if (!parsed.success)
      throw new Problem('unavailable', `${server} does not answer as a server of this app`, {
        cause: parsed.error,
      });
    return parsed.data;
  }

  #show(change: Partial<Session>): void {
    this.#state.next(Object.freeze({ ...this.#state.value, ...change }));
  }
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

async function secretName({
  server,
  user,
}: Remembered | { server: string; user: { userid: number } }): Promise<string> {
  return `token-${await databaseName(server, user.userid)}`;
}

function kindOf(status: number): ProblemKind {
  const found = Object.entries(problemStatus).find(([, one]) => one === status);
  return (found?.[0] as ProblemKind | undefined) ?? 'unavailable';
}

function wordsOf(answer: unknown, status: number): string {
  const { message } = (answer ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : `The server answered ${status}`;
}
