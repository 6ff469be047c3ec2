import { createHash } from 'node:crypto';

import { textIn, type Answered, type Asked, type Chunk, type Reply } from '../wire.ts';
import { wordsIn } from '../words.ts';
import type { Connection } from './connection.ts';
import type { RunContext } from './context.ts';
import type { ServerFaults } from './server-faults.ts';

/** Virtual ms for a request and its response. */
export const latency = 40;

/** Passes requests of devices to the server, and checks and records what it answers. */
export class Exchanges {
  readonly #context: RunContext;
  readonly #serverFaults: ServerFaults;
  /** The last response of each address. */
  readonly #cached = new Map<string, Answered>();

  constructor(context: RunContext, serverFaults: ServerFaults) {
    this.#context = context;
    this.#serverFaults = serverFaults;
  }

  /** The last response of the same address, as from a cache. */
  cached(asked: Asked): Answered | undefined {
    return this.#cached.get(cacheKey(asked));
  }

  /** The request reaches the server and is answered. `diesAfter`: the server crashes after this number of commits. */
  async exchange(connection: Connection, asked: Asked, diesAfter?: number): Promise<Reply> {
    const { server, clock, record, connections } = this.#context;
    const terms = {
      person: this.#personOf(connection, asked),
      ...(diesAfter === undefined ? {} : { diesAfter }),
    };
    const { answer, stream, chunks, leaks, died } = await server.exchange(asked, clock.now, terms);
    record.exchanged(lineOf(connection, asked, answer, chunks));
    this.#checkLeaks(connection, asked, leaks);
    if (stream !== null) connections.read(stream, connection);
    connection.notes.noteToken(asked, answer);
    // A refusal by another server ends no session.
    if (!this.#serverFaults.isOther) connection.notes.noteRefusals(asked, answer);
    this.#checkOther(connection, asked);
    connections.hear(chunks);
    if (died) return { kind: 'failed', after: latency };
    if (stream !== null) return { kind: 'stream', answer, stream, after: latency };
    if (asked.method === 'GET') this.#cached.set(cacheKey(asked), answer);
    return { kind: 'answer', answer, after: latency };
  }

  /** The request reaches the server, and its response nobody. */
  async deliver(asked: Asked): Promise<void> {
    const { server, clock, connections } = this.#context;
    const { chunks } = await server.exchange(asked, clock.now);
    connections.hear(chunks);
  }

  /** The name of the person whose request it is; null: nobody whom the server knows. */
  #personOf({ person, reader }: Connection, { headers }: Asked): string | null {
    const isKnown = headers['authorization'] !== undefined && !this.#serverFaults.isOther;
    if (!isKnown) return null;
    return reader ?? (person === null ? null : this.#context.people.name(person));
  }

  /** FLEET-5: nobody receives words that they may not see. */
  #checkLeaks({ device, reader }: Connection, { method, url }: Asked, leaks: readonly string[]): void {
    const { ledger, record } = this.#context;
    for (const leak of leaks) {
      const [word = '', , name = ''] = leak.split(' ');
      const written = ledger.words.get(word);
      const isOwn = name === reader ? written?.device === device : written?.person === name;
      if (!isOwn) record.broke('FLEET-5', `${method} ${url} told ${leak}, which they may not see`);
    }
  }

  /**
   * FLEET-5: a server that replaces theirs unnoticed receives at most one request, and refuses it (account README,
   * ACCOUNT-10). Requests in progress at the first response count as one with it.
   */
  #checkOther(connection: Connection, { method, url, body }: Asked): void {
    const { clock, record } = this.#context;
    const { isOther } = this.#serverFaults;
    const isWarned = isOther && connection.hearsOther !== null && clock.now >= connection.hearsOther;
    connection.hearsOther = isOther ? (connection.hearsOther ?? clock.now + latency) : null;
    if (!isWarned) return;
    for (const word of wordsIn(textIn(body)))
      record.broke('FLEET-5', `${method} ${url} told another server ${word}`);
  }
}

function lineOf({ device }: Connection, asked: Asked, answer: Answered, chunks: Chunk[]): string {
  const { method, url, headers, body } = asked;
  const sent = [method, url, headers, textIn(body)];
  const came = [answer.status, answer.headers, textIn(answer.body)];
  const heard = chunks.map(({ stream, bytes }) => [stream, textIn(bytes)]);
  const sha256 = createHash('sha256')
    .update(JSON.stringify([sent, came, heard]))
    .digest('hex');
  return `device ${device} ${method} ${new URL(url).pathname} ${answer.status} ${sha256}`;
}

function cacheKey({ url }: Asked): string {
  return new URL(url).pathname;
}
