import type { VirtualTime } from '#test/simulation/virtual-time.ts';

/** Size of a request without its body, bytes. */
const headBytes = 400;
/** Responses arrive in chunks of this size. */
const chunkBytes = 16 * 1024;

/**
 * A connection with a rate and a round trip, full duplex, in virtual time: counts sent bytes, aborted requests
 * included.
 */
export class SlowLink {
  /** Sent bytes. */
  sent = 0;
  readonly #time: VirtualTime;
  /** Bytes per ms, each way. */
  readonly #rate: number;
  readonly #roundTrip: number;
  /** Lost responses, by the number of the request for a path. */
  readonly lost = new Map<string, number[]>();
  readonly #counts = new Map<string, number>();
  #upFreeAt = 0;
  #downFreeAt = 0;

  constructor(time: VirtualTime, bytesPerSecond: number, roundTripMs: number) {
    this.#time = time;
    this.#rate = bytesPerSecond / 1000;
    this.#roundTrip = roundTripMs;
  }

  to(server: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const path = new URL(input instanceof Request ? input.url : input).pathname;
      const nth = (this.#counts.get(path) ?? 0) + 1;
      this.#counts.set(path, nth);
      const up = headBytes + new TextEncoder().encode(typeof init?.body === 'string' ? init.body : '').length;
      const begin = Math.max(this.#time.now(), this.#upFreeAt);
      const end = begin + up / this.#rate;
      this.#upFreeAt = end;
      const aborted = await this.#until(end + this.#roundTrip / 2, init?.signal);
      if (aborted) {
        this.sent += Math.min(up, Math.max(0, (this.#time.now() - begin) * this.#rate));
        this.#upFreeAt = this.#time.now();
        throw new TypeError('aborted');
      }
      this.sent += up;
      const response = await server(input, { ...init, signal: null });
      const bytes = new Uint8Array(await response.arrayBuffer());
      const isLost = this.lost.get(path)?.includes(nth) === true;
      if (isLost || (await this.#until(this.#time.now() + this.#roundTrip / 2, init?.signal)))
        throw new TypeError('the answer was lost');
      return new Response(this.#coming(bytes, init?.signal), {
        status: response.status,
        headers: response.headers,
      });
    };
  }

  /** The bytes of a response as they arrive. */
  #coming(bytes: Uint8Array, signal: AbortSignal | null | undefined): ReadableStream<Uint8Array> {
    let at = 0;
    return new ReadableStream({
      pull: async (controller) => {
        const chunk = bytes.slice(at, at + chunkBytes);
        if (chunk.length === 0) return controller.close();
        at += chunk.length;
        this.#downFreeAt = Math.max(this.#time.now(), this.#downFreeAt) + chunk.length / this.#rate;
        if (await this.#until(this.#downFreeAt, signal)) controller.error(new TypeError('aborted'));
        else controller.enqueue(chunk);
      },
    });
  }

  /** Waits until a moment; true if the request is aborted before. */
  #until(at: number, signal: AbortSignal | null | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#time.setTimer(() => resolve(false), at - this.#time.now());
      signal?.addEventListener('abort', () => {
        cancel();
        resolve(true);
      });
    });
  }
}
