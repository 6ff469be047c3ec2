import {
  createServer,
  request as send,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A response as it passes. */
export interface Passing {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * What happens to a request: it is answered by something in between, refused as the server would, or its response is
 * changed, cut after some bytes, or lost after the server has done its work.
 */
export type Fault =
  | { kind: 'answer'; with: Passing }
  | { kind: 'refuse'; status: number; code: string; headers: Record<string, string> }
  | { kind: 'rewrite'; how: (response: Passing) => Passing }
  | { kind: 'cut'; after: number }
  | { kind: 'lose' };

interface Planned {
  path: RegExp;
  times: number;
  fault: Fault;
}

/** A proxy between client and server that fails as it is told. */
export class FailingProxy implements AsyncDisposable {
  /** Where requests go; null: nowhere. */
  target: string | null;
  /** The requests that arrived: method, path, and token. */
  readonly seen: { method: string; path: string; token: string }[] = [];
  /** The last response of each path. */
  readonly passed = new Map<string, Passing>();
  readonly #server: Server;
  #planned: Planned[] = [];

  private constructor(target: string) {
    this.target = target;
    this.#server = createServer((request, response) => {
      this.#carry(request, response).catch(() => response.destroy());
    });
  }

  static async start(target: string): Promise<FailingProxy> {
    const proxy = new FailingProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Lets the next requests to a path fail. */
  fail(path: RegExp, fault: Fault, times = 1): void {
    this.#planned.push({ path, fault, times });
  }

  /** Whether every planned fault has happened. */
  get hasFailed(): boolean {
    return this.#planned.length === 0;
  }

  heal(): void {
    this.#planned = [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #faultOf(path: string): Fault | undefined {
    const planned = this.#planned.find((one) => one.path.test(path));
    if (planned === undefined) return undefined;
    planned.times -= 1;
    if (planned.times <= 0) this.#planned = this.#planned.filter((one) => one !== planned);
    return planned.fault;
  }

  async #carry(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const path = new URL(url, 'http://here').pathname;
    this.seen.push({ method, path, token: request.headers.authorization ?? '' });
    const body = await buffer(request);
    const fault = this.#faultOf(path);
    if (fault?.kind === 'answer') return answer(response, fault.with);
    if (fault?.kind === 'refuse') return answer(response, refusalOf(fault, new URL(url, 'http://here')));
    if (this.target === null) return void response.destroy();
    const real = await forward(this.target, request, body);
    this.passed.set(path, real);
    if (fault?.kind === 'lose') return void response.destroy();
    if (fault?.kind !== 'cut') return answer(response, fault?.kind === 'rewrite' ? fault.how(real) : real);
    response.writeHead(real.status, real.headers);
    response.write(real.body.subarray(0, fault.after), () => response.destroy());
  }
}

function refusalOf(
  { status, code, headers }: Extract<Fault, { kind: 'refuse' }>,
  { searchParams }: URL,
): Passing {
  const request = searchParams.get('request') ?? undefined;
  const text = JSON.stringify({ error: true, message: 'Refused', msg: 'Refused', code, request });
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: Buffer.from(text) };
}

function answer(response: ServerResponse, { status, headers, body }: Passing): void {
  response.writeHead(status, { ...headers, 'content-length': String(body.length) });
  response.end(body);
}

function forward(target: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Passing> {
  const { hostname, port, host } = new URL(target);
  return new Promise((resolve, reject) => {
    const sent = send(
      // Rewriting needs plain bytes.
      { hostname, port, method, path: url, headers: { ...headers, host, 'accept-encoding': 'identity' } },
      (real) => {
        buffer(real).then((bytes) => {
          const { 'content-type': type = '', 'retry-after': later } = real.headers;
          const passing = { 'content-type': type, ...(later === undefined ? {} : { 'retry-after': later }) };
          resolve({ status: real.statusCode ?? 502, headers: passing, body: bytes });
        }, reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
