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
type Remembered = z.infer<typeof remembered>;

const sessionId = 'session';
const serversId = 'servers';

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

  token(): string | null {
    return this.#token;
  }

  /** The last session; its status stays `restoring` until `opened`. Null: nobody is signed in. */
  async restore(): Promise<Remembered | null> {
    const { meta } = await this.#journal.entries();
    const servers = z.array(z.string()).catch([]).parse(meta.get(serversId));
    const last = remembered.safeParse(meta.get(sessionId));
    this.#show({
      servers,
      ...(last.success ? last.data : { server: servers[0] ?? this.#platform.defaultServer }),
    });
    if (!last.success) {
      this.#show({ status: 'signed-out' });
      return null;
    }
    this.#token = (await this.#platform.secrets.read(await secretName(last.data))) ?? null;
    return last.data;
  }

  /** The person's database is open. */
  opened(): void {
    this.#show({ status: this.#token === null ? 'expired' : 'signed-in' });
  }

  /** Signs in and remembers the session. Throws `Problem` with the server's words. */
  async signIn(address: string, email: string, password: string): Promise<Remembered> {
    const server = serverAddress(address);
    const { authToken, ...user } = await this.#askForToken(server, email, password);
    const session: Remembered = { server, user };
    const servers = [server, ...this.current().servers.filter((one) => one !== server)];
    await this.#platform.secrets.write(await secretName(session), authToken);
    await this.#journal.append([
      { op: 'put', collection: 'meta', id: sessionId, value: session },
      { op: 'put', collection: 'meta', id: serversId, value: servers },
    ]);
    this.#token = authToken;
    this.#show({ server, servers, user });
    return session;
  }

  /** Forgets session and token on this device. */
  async forget(): Promise<void> {
    const { server, user } = this.current();
    this.#token = null;
    this.#show({ user: null, status: 'signed-out' });
    if (server === null || user === null) return;
    await this.#journal.append([{ op: 'delete', collection: 'meta', id: sessionId }]);
    await this.#platform.secrets.remove(await secretName({ server, user }));
  }

  /** The server no longer takes the token: reading goes on, sending waits for sign-in. */
  expire(): void {
    if (this.current().status === 'signed-in') this.#show({ status: 'expired' });
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
