import { Writable } from 'node:stream';

import { expect, test } from 'vitest';
import { z } from 'zod';

import type { Endpoint } from '#shared/api/endpoint.ts';
import { problemCodes } from '#shared/api/problem.ts';
import { readLimits } from '#shared/formats/omanual/limits.ts';
import { readXml } from '#shared/formats/omanual/xml-tree.ts';
import { makeLog } from '#server/platform/log.ts';
import { changeSite } from '#server/core/site.ts';
import { defaultSite } from '#server/core/site-settings.ts';
import { withoutDiskWaits } from '#test/support/database-settings.ts';
import { IdentityProvider } from '#test/support/identity-provider.ts';
import { oddRequest, type OddRequest } from '#test/support/odd-requests.ts';
import { Dice } from '#test/support/odd-values.ts';
import { makeStock, type OddStock } from '#test/support/odd-stock.ts';
import { eachOf, RawHttp, type RawAnswer } from '#test/support/raw-http.ts';
import { startServer, type TestServer } from '#test/support/server.ts';

/** Concurrent requests. */
const connections = 8;
/** Enables every feature that endpoints need. */
const site = {
  releases: true,
  languages: ['en', 'de'],
  private_networks: ['127.0.0.0/8'],
  ...new IdentityProvider().site(),
};
/** Text that no response may contain: places in the code, words of the database. */
export const inside = /\.ts:\d|node_modules|sqlite|at async |Error:|kysely/i;

const problem = z.strictObject({
  error: z.literal(true),
  message: z.string().min(1),
  msg: z.string().min(1),
  code: z.enum(problemCodes),
  requiredPrivileges: z.array(z.string()).optional(),
});
const fieldProblem = problem.extend({
  errors: z
    .array(
      z.strictObject({ field: z.string().min(1), message: z.string().min(1), index: z.int().optional() }),
    )
    .min(1)
    .max(100),
});

const logLine = z.object({ level: z.number() });
/** pino's level number. */
const errorLevel = 50;

/** A server that receives odd requests and whose responses are checked. */
export class OddServer implements AsyncDisposable {
  readonly server: TestServer;
  readonly raw: RawHttp;
  /** Lines that it logged as errors. */
  readonly failures: string[];
  /** One stock for all reads, which destroy nothing. */
  #shared: Promise<OddStock> | undefined;
  /** Seeds the names of the last shared stock. */
  #sharedNumber = 0;

  private constructor(server: TestServer, failures: string[]) {
    this.server = server;
    this.raw = new RawHttp(server.url, connections);
    this.failures = failures;
  }

  static async start(): Promise<OddServer> {
    const failures: string[] = [];
    const write = (chunk: Buffer, _encoding: string, done: () => void): void => {
      const line = chunk.toString();
      // The head of the audit log is logged at every level.
      if (logLine.parse(JSON.parse(line)).level >= errorLevel) failures.push(line);
      done();
    };
    const server = await startServer({ log: makeLog('error', new Writable({ write })), site });
    // These tests do not check durability, and a thousand disk waits take long.
    await withoutDiskWaits(server.services.storage);
    await server.category('Workshop');
    await server.category('Bench Grinder', 'Workshop', 'A double grinder.');
    return new OddServer(server, failures);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.raw[Symbol.dispose]();
    await this.server[Symbol.asyncDispose]();
  }

  /** Sends `count` odd requests to an endpoint; `number` seeds them. Returns the statuses of the responses. */
  async send(endpoint: Endpoint, number: number, count: number): Promise<Set<number>> {
    const stock = await (endpoint.method === 'GET'
      ? (this.#shared ??= makeStock(this.server, (this.#sharedNumber -= 1)))
      : makeStock(this.server, number));
    const dice = new Dice(1000 + number);
    const requests = Array.from({ length: count }, () => oddRequest(endpoint, stock, dice));
    const statuses = new Set<number>();
    await eachOf(requests, connections, async (request) => {
      statuses.add(await this.#check(endpoint, request));
    });
    // It ends the sessions of the shared stock too.
    if (endpoint.method === 'DELETE' && endpoint.path === '/accounts/sessions') this.#shared = undefined;
    if (endpoint.path === '/site') await changeSite(this.server.services, { ...defaultSite, ...site });
    return statuses;
  }

  async #check(endpoint: Endpoint, request: OddRequest): Promise<number> {
    const { injected, ...sent } = request;
    const response = await this.raw.send(sent);
    const logged = this.failures.splice(0).join('').slice(0, 3000);
    const flaw = logged === '' ? await flawOf(endpoint, response, injected) : 'The server logged an error';
    if (flaw === undefined) return response.statusCode;
    const call = `${sent.method} ${sent.url.slice(0, 300)} ${JSON.stringify(sent.headers)}`;
    const answer = `${response.statusCode} ${response.body.slice(0, 600)}`;
    return expect.fail(`${flaw}\n${call} ${(sent.payload ?? '').slice(0, 600)}\n→ ${answer}\n${logged}`);
  }
}

async function flawOf(endpoint: Endpoint, answer: RawAnswer, injected: boolean): Promise<string | undefined> {
  const { statusCode, body, headers } = answer;
  if (statusCode >= 500) return 'The server failed';
  if (statusCode >= 400 && inside.test(body)) return 'The answer tells of the inside';
  if (!/^[\w-]{12}$/.test(String(headers['x-request-id']))) return 'The answer has no request id';
  if (injected && statusCode < 300) return 'A field that the contract does not have was taken';
  if (statusCode === 204 || statusCode === 304) return body === '' ? undefined : 'The answer has a body';
  const form = String(headers['content-type']).split(';')[0];
  if (endpoint.produces?.some((one) => one === form) === true) return flawOfOther(form, statusCode, body);
  if (body === '') return 'The answer is empty';
  const error = shapeOf(endpoint, statusCode)?.safeParse(JSON.parse(body)).error;
  return error === undefined ? undefined : z.prettifyError(error);
}

/** The flaw of a response that is not JSON. */
async function flawOfOther(
  form: string | undefined,
  status: number,
  body: string,
): Promise<string | undefined> {
  if (body === '') return 'The answer is empty';
  if (form !== 'application/xml') return undefined;
  const { name } = await readXml(new Blob([body]).stream(), '', readLimits);
  return (name === 'error') === status >= 400 ? undefined : `The answer is <${name}>`;
}

function shapeOf(endpoint: Endpoint, status: number): z.ZodType | undefined {
  if (status < 300) return endpoint.result;
  if (status === 409) return endpoint.tagged ?? z.looseObject({});
  if (![400, 401, 403, 404, 405, 422, 429].includes(status)) return z.never();
  return status === 422 ? fieldProblem : problem;
}

/** Registers a test for each of these endpoints, with `count` requests; `numbered` seeds them. */
export function testOddRequests(
  odd: () => OddServer,
  numbered: { route: string; endpoint: Endpoint; number: number }[],
  count: number,
): void {
  test.each(numbered)('$route', async ({ endpoint, number }) => {
    const statuses = await odd().send(endpoint, number, count);
    // By chance all requests may have named a missing record.
    for (let more = 1; more <= 9 && statuses.size < 2; more += 1)
      for (const status of await odd().send(endpoint, 1000 * more + number, count)) statuses.add(status);
    expect(statuses.size).toBeGreaterThan(1);
  });
}
