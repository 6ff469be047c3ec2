import { BehaviorSubject } from 'rxjs';

import type { Fault } from './plan.ts';
import type { VirtualTime } from './virtual-time.ts';

type Channel = Fault['on'];

interface Sent {
  url: string;
  init: RequestInit;
}

/**
 * The connection of a device to the server: real HTTP with planned faults. A fault names a request by its channel and
 * its number since the device reconnected, so a plan means the same in every run.
 */
export class FaultyNetwork {
  readonly online = new BehaviorSubject(false);
  /** The transferred requests, for the trace. */
  readonly log: string[] = [];
  readonly #time: VirtualTime;
  readonly #streams = new Set<AbortController>();
  readonly #late: Sent[] = [];
  #faults: readonly Fault[] = [];
  #counts = new Map<Channel, number>();
  #batchesLeft = Infinity;
  #isDeaf = false;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  /** Connects the network; it fails again after `batches` batches. */
  connect(faults: readonly Fault[], batches: number | null): void {
    this.#faults = faults;
    this.#counts = new Map();
    this.#batchesLeft = batches ?? Infinity;
    this.online.next(true);
  }

  get isDeaf(): boolean {
    return this.#isDeaf;
  }

  /** From now on only responses to calls arrive; no connection breaks. */
  deafen(): void {
    this.#isDeaf = true;
  }

  disconnect(): void {
    this.#isDeaf = false;
    for (const stream of this.#streams) stream.abort();
    this.#streams.clear();
    if (this.online.value) this.online.next(false);
  }

  /** Repeats the requests that were planned to arrive late. */
  async deliverLate(): Promise<void> {
    for (const sent of this.#late.splice(0)) {
      const answer = await fetch(sent.url, withoutSignal(sent.init));
      await answer.arrayBuffer();
      this.log.push(`late ${new URL(sent.url).pathname} ${answer.status}`);
    }
  }

  readonly fetch: typeof globalThis.fetch = async (input, init = {}) => {
    if (!this.online.value) throw new TypeError('No network');
    const url = input instanceof Request ? input.url : input.toString();
    const channel = channelOf(new URL(url).pathname);
    if (channel === null) return this.#time.hold(fetch(url, init));
    if (this.#isDeaf && channel !== 'batch') return silence(init.signal);
    const nth = this.#counts.get(channel) ?? 0;
    this.#counts.set(channel, nth + 1);
    const kind = this.#faults.find((fault) => fault.on === channel && fault.nth === nth)?.kind;
    this.log.push(`${channel} ${nth}${kind === undefined ? '' : ` ${kind}`}${callsIn(init.body)}`);
    if (channel === 'events') return this.#stream(url, init, kind);
    if (channel === 'batch' && (this.#batchesLeft -= 1) < 0) {
      this.disconnect();
      throw new TypeError('The network went away');
    }
    return this.#time.hold(this.#exchange({ url, init }, kind));
  };

  async #exchange(sent: Sent, kind: Fault['kind'] | undefined): Promise<Response> {
    const { url, init } = sent;
    if (kind === 'refused') throw new TypeError('The connection was refused');
    if (kind === 'busy') return Response.json({ error: true, message: 'Busy', msg: 'Busy' }, { status: 503 });
    if (kind === 'late') this.#late.push(sent);
    const again = kind === 'at-once' ? fetch(url, withoutSignal(init)) : null;
    const answer = await fetch(url, init);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    await (await again)?.arrayBuffer();
    if (kind === 'lost') throw new TypeError('The answer was lost');
    if (kind === 'cut') return new Response(brokenOff(bytes), { status: answer.status });
    if (kind === 'twice') {
      const second = await fetch(url, init);
      return new Response(await second.arrayBuffer(), { status: second.status });
    }
    return new Response(bytes, {
      status: answer.status,
      headers: { date: answer.headers.get('date') ?? '' },
    });
  }

  async #stream(url: string, init: RequestInit, kind: Fault['kind'] | undefined): Promise<Response> {
    if (kind !== undefined) throw new TypeError('The connection was refused');
    const stream = new AbortController();
    this.#streams.add(stream);
    const signal = init.signal ? AbortSignal.any([stream.signal, init.signal]) : stream.signal;
    const response = await this.#time.hold(fetch(url, { ...init, signal }));
    const heard = new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        if (!this.#isDeaf) controller.enqueue(bytes);
      },
    });
    return new Response(response.body?.pipeThrough(heard) ?? null, response);
  }
}

/** Neither a response nor an error, until the caller gives up. */
function silence(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('Given up', 'AbortError')));
  });
}

function channelOf(path: string): Channel | null {
  const name = path.replace('/sync/1/', '');
  return name === 'batch' || name === 'pull' || name === 'events' ? name : null;
}

/** The calls of a batch, for the trace. */
function callsIn(body: RequestInit['body']): string {
  if (typeof body !== 'string') return '';
  const { calls } = JSON.parse(body) as { calls: { id: string; method: string; path: string }[] };
  return ` (${calls.map(({ id, method, path }) => `${id.slice(-4)} ${method} ${path}`).join(', ')})`;
}

/** For deliveries unknown to the device. */
function withoutSignal(init: RequestInit): RequestInit {
  return { ...init, signal: null };
}

/** The first half of the bytes, then a broken connection. */
function brokenOff(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) return controller.error(new TypeError('The connection broke'));
      isSent = true;
      controller.enqueue(bytes.slice(0, Math.floor(bytes.length / 2)));
    },
  });
}
