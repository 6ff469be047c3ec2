import { interference } from '../interference.ts';
import type { Trap } from '../plan.ts';
import type { Asked, Reply } from '../wire.ts';
import type { Connection } from './connection.ts';
import type { RunContext } from './context.ts';
import { latency, type Exchanges } from './exchanges.ts';
import type { ServerFaults } from './server-faults.ts';

/** Virtual ms beyond every timeout. */
const longestAnswer = 90_000;

/** The network between devices and server: it decides about each request, by the traps of its device. */
export class Network {
  readonly #context: Pick<RunContext, 'clock' | 'record'>;
  readonly #exchanges: Exchanges;
  readonly #serverFaults: ServerFaults;
  /** Requests that reach the server at the next quiet point. */
  readonly #late: Asked[] = [];

  constructor(
    context: Pick<RunContext, 'clock' | 'record'>,
    exchanges: Exchanges,
    serverFaults: ServerFaults,
  ) {
    this.#context = context;
    this.#exchanges = exchanges;
    this.#serverFaults = serverFaults;
  }

  /** Decides about a request; null: the device is suspended. */
  async answer(connection: Connection, asked: Asked): Promise<Reply | null> {
    const reply = await this.#decide(connection, asked);
    if (reply !== null) connection.onReply(asked, reply);
    return reply;
  }

  async #decide(connection: Connection, asked: Asked): Promise<Reply | null> {
    const { record } = this.#context;
    if (this.#serverFaults.missesRequest()) return { kind: 'failed', after: latency };
    const trap = connection.trapFor(asked);
    if (trap === null) return this.#exchanges.exchange(connection, asked);
    record.countFault(connection.device, trap.fault);
    record.say(`device ${connection.device} ${trap.fault} ${asked.method} ${new URL(asked.url).pathname}`);
    return this.#faulty(connection, asked, trap);
  }

  /** Ends the suspension of a device; its reply. */
  async resume(connection: Connection): Promise<Reply | null> {
    const { suspended } = connection;
    if (suspended === null) return null;
    connection.suspended = null;
    const { asked } = suspended;
    const reply = suspended.answer ?? (await this.#exchanges.exchange(connection, asked));
    connection.onReply(asked, reply);
    return reply;
  }

  /** Late requests reach the server. */
  async deliverLate(): Promise<void> {
    for (const asked of this.#late.splice(0)) await this.#exchanges.deliver(asked);
  }

  async #faulty(
    connection: Connection,
    asked: Asked,
    { fault, ms = longestAnswer }: Trap,
  ): Promise<Reply | null> {
    const exchange = (diesAfter?: number): Promise<Reply> =>
      this.#exchanges.exchange(connection, asked, diesAfter);
    const failed: Reply = { kind: 'failed', after: latency };
    switch (fault) {
      case 'refused':
        return failed;
      case 'lost':
        await exchange();
        return failed;
      case 'cut': {
        const reply = await exchange();
        return reply.kind === 'answer' ? { ...reply, kind: 'cut' } : failed;
      }
      case 'slow': {
        const isFirst = connection.hearsOther === null;
        const reply = await exchange();
        if (isFirst && connection.hearsOther !== null) connection.hearsOther = this.#context.clock.now + ms;
        return reply.kind === 'silence' ? reply : { ...reply, after: ms };
      }
      case 'silence':
        return { kind: 'silence' };
      case 'twice':
        if (isStream(asked)) return failed;
        await exchange();
        return exchange();
      case 'late':
        if (!isStream(asked)) this.#late.push(asked);
        return failed;
      case 'half':
        return this.#half(connection, asked);
      case 'stale': {
        const known = this.#exchanges.cached(asked);
        if (known === undefined) return exchange();
        return { kind: 'answer', answer: known, after: latency };
      }
      case 'bare': {
        const reply = await exchange();
        return reply.kind === 'answer' ? { ...reply, answer: { ...reply.answer, headers: {} } } : reply;
      }
      case 'server-dies':
        return exchange(1 + (asked.id % 3));
      case 'suspend-before':
        connection.suspended = { asked, answer: null };
        return null;
      case 'suspend-after':
        connection.suspended = { asked, answer: await exchange() };
        return null;
      default:
        return { kind: 'answer', answer: interference(fault), after: latency };
    }
  }

  /** Half of a request arrives: its response goes nowhere. */
  async #half(connection: Connection, asked: Asked): Promise<Reply> {
    const type = asked.headers['content-type'] ?? '';
    const { body } = asked;
    if (body !== null && (type.includes('json') || asked.method === 'PATCH')) {
      const half = { ...asked, body: body.slice(0, Math.floor(body.length / 2)) };
      await this.#exchanges.exchange(connection, half);
    }
    return { kind: 'failed', after: latency };
  }
}

function isStream(asked: Asked): boolean {
  return new URL(asked.url).pathname.endsWith('/events');
}
