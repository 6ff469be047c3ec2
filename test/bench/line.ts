import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';

import type { VirtualTime } from '#test/simulation/virtual-time.ts';

/** Size of a request or a response without its body, bytes. */
const headBytes = 400;
const fast = { bytesPerSecond: 100e6, roundTripMs: 20 };

/** A device's connection in virtual time, with cuts; counts sent and received bytes. */
export class Line {
  up = 0;
  down = 0;
  cuts = 0;
  rate = fast.bytesPerSecond;
  roundTrip = fast.roundTripMs;
  /** Received or sent bytes until the connection is cut; each is used once. */
  cutsDown: number[] = [];
  cutsUp: number[] = [];
  readonly #time: VirtualTime;
  readonly #open = new Set<AbortController>();
  #upFreeAt = 0;
  #downFreeAt = 0;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  /** Resets the counters and sets the rate. */
  become({ bytesPerSecond, roundTripMs }: typeof fast): void {
    this.rate = bytesPerSecond;
    this.roundTrip = roundTripMs;
    this.up = 0;
    this.down = 0;
    this.cuts = 0;
  }

  /** Breaks every connection. */
  cut(): void {
    this.cuts += 1;
    for (const one of this.#open) one.abort();
    this.#open.clear();
    this.#upFreeAt = this.#time.now();
    this.#downFreeAt = this.#time.now();
  }

  /** Sends a request and receives its response. */
  async carry(
    body: Blob,
    given: AbortSignal | null | undefined,
    ask: () => Promise<Response>,
  ): Promise<Response> {
    const connection = new AbortController();
    this.#open.add(connection);
    const signal = given == null ? connection.signal : AbortSignal.any([given, connection.signal]);
    const size = headBytes + body.size;
    const begin = Math.max(this.#time.now(), this.#upFreeAt);
    this.#upFreeAt = begin + (size / this.rate) * 1000;
    const [cutAt = Infinity] = this.cutsUp;
    if (this.up + size > cutAt) {
      this.cutsUp.shift();
      const left = ((cutAt - this.up) / this.rate) * 1000;
      this.#time.setTimer(() => this.cut(), begin - this.#time.now() + left);
    }
    if (await this.#until(this.#upFreeAt + this.roundTrip / 2, signal)) {
      this.up += Math.min(size, Math.max(0, ((this.#time.now() - begin) * this.rate) / 1000));
      throw new TypeError('cut');
    }
    this.up += size;
    const response = await this.#time.hold(ask());
    if (await this.#until(this.#time.now() + this.roundTrip / 2, signal)) throw new TypeError('cut');
    if (response.body === null) return response;
    const { status, headers } = response;
    let coming = this.#coming(new Uint8Array(await this.#time.hold(response.arrayBuffer())), signal);
    if (headers.get('content-encoding') === 'gzip')
      coming = coming.pipeThrough(new DecompressionStream('gzip'));
    return new Response(coming, { status, headers: { 'content-type': headers.get('content-type') ?? '' } });
  }

  /** The bytes of a response as they arrive. */
  #coming(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): ReadableStream<Uint8Array<ArrayBuffer>> {
    let at = 0;
    let due = Math.max(this.#time.now(), this.#downFreeAt);
    return new ReadableStream({
      pull: async (controller) => {
        const [cutAt = Infinity] = this.cutsDown;
        const chunk = bytes.slice(at, at + Math.min(4 * 1024, Math.max(0, cutAt - this.down)));
        at += chunk.length;
        due += (chunk.length / this.rate) * 1000;
        this.#downFreeAt = Math.max(due, this.#downFreeAt);
        const isCut = await this.#until(due, signal);
        if (isCut) return controller.error(new TypeError('cut'));
        this.down += chunk.length;
        if (chunk.length > 0) controller.enqueue(chunk);
        if (at === bytes.length) return controller.close();
        if (this.down < cutAt) return;
        this.cutsDown.shift();
        // An immediate error would discard enqueued bytes.
        setImmediate(() => this.cut());
      },
    });
  }

  /** Waits until a moment; true if the connection is aborted before. */
  #until(at: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(true);
    return new Promise((resolve) => {
      const cancel = this.#time.setTimer(() => resolve(false), at - this.#time.now());
      signal.addEventListener('abort', () => {
        cancel();
        resolve(true);
      });
    });
  }
}

/** A request to a real server; the response is as on the wire. */
export function ask(url: URL, method: string, headers: Headers, body: Blob): Promise<Response> {
  return method === 'GET'
    ? rawGet(url, headers)
    : fetch(url, { method, headers, ...(body.size > 0 && { body }) });
}

export function rawGet(url: URL, headers: Headers): Promise<Response> {
  return new Promise((resolve, reject) => {
    const asked = { headers: { ...Object.fromEntries(headers), 'accept-encoding': 'gzip' } };
    get(url, asked, (answer) => {
      const { statusCode: status = 502, headers: told } = answer;
      const kept = {
        'content-type': told['content-type'] ?? '',
        'content-encoding': told['content-encoding'] ?? '',
      };
      const isEmpty = status === 204 || status === 304;
      buffer(answer).then(
        (bytes) => resolve(new Response(isEmpty ? null : new Uint8Array(bytes), { status, headers: kept })),
        reject,
      );
    }).on('error', reject);
  });
}
