import { expect } from 'vitest';

import { memoryLog } from '#test/support/memory-log.ts';
import { clientOf, startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

export const tablet = '3f1c9a52-6e0b-4c57-8d21-9b7a4e5f6c30';
export const phone = 'b6a8d0c4-0f4e-4d0a-9b57-2f6a1c3e5d78';
export const password = 'a long password';
export const minute = 60_000;

/** Somebody with a session. */
export type Caller = Pick<TestPerson, 'call'>;

/** Asks for the secret of a device. */
export const ask = (caller: Caller, device = tablet, headers: Record<string, string> = {}) =>
  caller.call('POST', '/user/device_secret', { device }, headers);

/** The secret of a device, which the server must give. */
export async function secretFor(caller: Caller, device = tablet): Promise<string> {
  const { status, body } = await ask(caller, device);
  expect(status).toBe(200);
  return (body as { secret: string }).secret;
}

/** A server, and an administrator and a person for each test. */
export class SecretWorld implements AsyncDisposable {
  readonly clock: { now: number };
  /** The lines of the server's log. */
  readonly logged: string[];
  readonly server: TestServer;
  /** Number of pairs of people so far; their names end with it. */
  people = 0;

  private constructor(server: TestServer, clock: { now: number }, logged: string[]) {
    this.server = server;
    this.clock = clock;
    this.logged = logged;
  }

  static async start(): Promise<SecretWorld> {
    const clock = { now: Date.parse('2026-05-04T08:00:00Z') };
    const logged: string[] = [];
    const server = await startServer({ now: () => clock.now, log: memoryLog(logged, 'info') });
    return new SecretWorld(server, clock, logged);
  }

  /** An administrator and a person, an hour later. */
  async newPeople(): Promise<{ mira: TestPerson; ana: TestPerson }> {
    this.clock.now += 60 * minute;
    this.people += 1;
    const mira = await this.server.person(`Mira${this.people}`, ['User', 'Admin']);
    const ana = await this.server.person(`Ana${this.people}`);
    return { mira, ana };
  }

  /** A call without a session. */
  async send(
    path: string,
    body: object,
    { url } = this.server,
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const response = await fetch(`${url}/api/2.0${path}`, { method: 'POST', body: JSON.stringify(body) });
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
  }

  /** The calls of a session of the last person that begins now with a password. */
  async signIn(word = password): Promise<Caller> {
    const email = `ana${this.people}@example.com`;
    const { status, body } = await this.send('/user/token', { email, password: word });
    expect(status).toBe(201);
    return { call: clientOf(this.server.url, String(body['authToken'])) };
  }

  /** The permanent id of an account. */
  async accountOf(userid: number): Promise<string> {
    const { accountid } = await this.server.services.storage.reader
      .selectFrom('users')
      .select('accountid')
      .where('userid', '=', userid)
      .executeTakeFirstOrThrow();
    return accountid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}
