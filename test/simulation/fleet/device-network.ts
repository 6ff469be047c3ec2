import { BehaviorSubject } from 'rxjs';

import { during } from './stillness.ts';
import type { EventTime } from './event-time.ts';
import type { Asked, Chunk, Reply } from './wire.ts';

interface Waiting {
  asked: Asked;
  resolve: (response: Response) => void;
  reject: (error: Error) => void;
}

/** The connection of a device: requests wait until the coordinator decides about them. */
export class DeviceNetwork {
  readonly online = new BehaviorSubject(true);
  readonly #time: EventTime;
  readonly #queue: Waiting[] = [];
  readonly #asking = new Map<number, Waiting>();
  readonly #streams = new Map<number, ReadableStreamDefaultController<Uint8Array>>();
  readonly #left = new Set<number>();
  /** Data of streams that the device does not read yet. */
  #early: Chunk[] = [];
  #last = 0;

  constructor(time: EventTime) {
    this.#time = time;
  }

  readonly fetch: typeof globalThis.fetch = async (input, init = {}) => {
    if (!this.online.value) throw new TypeError('No network');
    const url = input instanceof Request ? input.url : input.toString();
    const body =
      init.body == null ? null : new Uint8Array(await during(new Response(init.body).arrayBuffer()));
    const { signal } = init;
    const headers = Object.fromEntries(new Headers(init.headers));
    return new Promise<Response>((resolve, reject) => {
      const id = (this.#last += 1);
      const asked = { id, method: init.method ?? 'GET', url, headers, body };
      const waiting = { asked, resolve, reject };
      if (signal?.aborted === true) return reject(aborted());
      signal?.addEventListener('abort', () => {
        this.#give(id);
        reject(aborted());
      });
      this.#queue.push(waiting);
      this.#signals.set(id, signal ?? null);
    });
  };

  readonly #signals = new Map<number, AbortSignal | null>();

  /** The next request; it waits for `reply`. */
  next(): Asked | null {
    const waiting = this.#queue.shift();
    if (waiting === undefined) return null;
    this.#asking.set(waiting.asked.id, waiting);
    return waiting.asked;
  }

  get hasNext(): boolean {
    return this.#queue.length > 0;
  }

  reply(id: number, reply: Reply): void {
    const waiting = this.#asking.get(id);
    if (reply.kind === 'silence') return;
    this.#time.setTimer(() => {
      this.#asking.delete(id);
      if (waiting === undefined) {
        if (reply.kind === 'stream') this.#left.add(reply.stream);
        return;
      }
      if (reply.kind === 'failed') return waiting.reject(new TypeError('The connection broke'));
      const { status, headers, body } = reply.answer;
      const isBare = status === 204 || status === 304;
      const content = isBare ? null : this.#body(id, reply, body);
      waiting.resolve(new Response(content, { status, headers }));
    }, reply.after);
  }

  bring(chunks: readonly Chunk[]): void {
    for (const { stream, bytes, ends } of chunks) {
      const controller = this.#streams.get(stream);
      if (controller === undefined) {
        this.#early.push({ stream, bytes, ends });
        continue;
      }
      if (bytes.length > 0) controller.enqueue(bytes);
      if (!ends) continue;
      this.#streams.delete(stream);
      controller.close();
    }
  }

  /** Streams that are no longer read; reported once. */
  left(): number[] {
    const left = [...this.#left];
    this.#left.clear();
    return left;
  }

  setOnline(on: boolean): void {
    if (on === this.online.value) return;
    if (!on) this.breakOff();
    this.online.next(on);
  }

  /** Breaks all requests in progress. */
  breakOff(): void {
    const waiting = [...this.#queue.splice(0), ...this.#asking.values()];
    this.#asking.clear();
    for (const { reject } of waiting) reject(new TypeError('The network went away'));
    for (const [stream, controller] of this.#streams) {
      this.#left.add(stream);
      controller.error(new TypeError('The network went away'));
    }
    this.#streams.clear();
  }

  #give(id: number): void {
    this.#asking.delete(id);
    const at = this.#queue.findIndex(({ asked }) => asked.id === id);
    if (at >= 0) this.#queue.splice(at, 1);
  }

  #body(
    id: number,
    reply: Reply,
    bytes: Uint8Array<ArrayBuffer>,
  ): ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> {
    if (reply.kind === 'answer') return bytes;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        if (reply.kind === 'cut') {
          controller.enqueue(bytes.slice(0, Math.floor(bytes.length / 2)));
          this.#time.setTimer(() => controller.error(new TypeError('The connection broke')), 10);
          return;
        }
        if (reply.kind !== 'stream') return;
        if (bytes.length > 0) controller.enqueue(bytes);
        this.#streams.set(reply.stream, controller);
        const early = this.#early.filter(({ stream }) => stream === reply.stream);
        this.#early = [];
        if (early.length > 0) this.bring(early);
        this.#signals.get(id)?.addEventListener('abort', () => {
          if (!this.#streams.delete(reply.stream)) return;
          this.#left.add(reply.stream);
          controller.error(aborted());
        });
      },
      cancel: () => {
        if (reply.kind === 'stream' && this.#streams.delete(reply.stream)) this.#left.add(reply.stream);
      },
    });
  }
}

function aborted(): Error {
  return new DOMException('This operation was aborted', 'AbortError');
}
