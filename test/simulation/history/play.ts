import { setTimeout as wait } from 'node:timers/promises';

import { v7 } from 'uuid';
import { z } from 'zod';

import { must } from '#shared/must.ts';
import { Dice } from '#test/simulation/random.ts';

import type { Operation, Version } from './operation.ts';
import {
  type CheckedRecord,
  type Told,
  toldByGuide,
  toldByList,
  toldByPage,
  toldByPull,
  toldByStep,
} from './records.ts';
import type { KillableServer } from './server.ts';

export interface PlayOptions {
  seed: number;
  clients: number;
  /** Operations of all clients together. */
  operations: number;
  /** How often the server is killed and restarted. */
  kills: number;
}

/** The calls and responses of clients, record by record, and invalid responses. */
export interface History {
  /** The version of each record before the first operation. */
  first: ReadonlyMap<string, Version>;
  operations: ReadonlyMap<string, readonly Operation[]>;
  /** Responses that contradict each other under one key, or that a client cannot interpret. */
  oddAnswers: string[];
  faults: Record<'lost' | 'doubled' | 'killed', number>;
  comments: CommentLedger;
}

/** Texts of comments, each written once: the responses to their authors, and the comments at the end. */
export interface CommentLedger {
  acknowledged: ReadonlySet<string>;
  /** Without a response. */
  unknown: ReadonlySet<string>;
  found: readonly string[];
}

/** Plays concurrent clients of the API that save, read, list and pull, with faults between them and the server. */
export async function playHistory(server: KillableServer, options: PlayOptions): Promise<History> {
  const history = new Recorder();
  const { records, tokens } = server;
  const first = await firstVersions(server);
  const clients = Array.from(
    { length: options.clients },
    (_, number) =>
      new ApiClient(number, must(tokens[number % tokens.length], 'a token'), server, history, options.seed),
  );
  const killAt = Array.from({ length: options.kills }, (_, index) =>
    Math.floor(((index + 1) * options.operations) / (options.kills + 1)),
  );
  let done = 0;
  let kills = 0;
  await Promise.all(
    clients.map(async (client) => {
      for (; done < options.operations; done += 1) {
        if (kills < killAt.length && done >= must(killAt[kills], 'a time to kill')) {
          kills += 1;
          history.faults.killed += 1;
          await server.kill();
        }
        await client.act(records, first);
      }
    }),
  );
  await server.ready();
  const reader = new ApiClient(
    options.clients,
    must(server.tokens[0], 'a token'),
    server,
    history,
    options.seed,
  );
  await reader.readAll(records);
  const { operations, oddAnswers, faults, acknowledged, unknown } = history;
  const found = await commentsOf(server);
  return { first, operations, oddAnswers, faults, comments: { acknowledged, unknown, found } };
}

const commentList = z.array(z.looseObject({ text_raw: z.string() }));

async function commentsOf({ url }: KillableServer): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const response = await fetch(`${url}/api/2.0/comments?context=guide&limit=200&offset=${found.length}`);
    const page = commentList.parse(await response.json());
    if (page.length === 0) return found;
    found.push(...page.map(({ text_raw }) => text_raw));
  }
}

async function firstVersions({ url, tokens, records }: KillableServer): Promise<Map<string, Version>> {
  const headers = { Authorization: `api ${must(tokens[0], 'a token')}` };
  const answers = await Promise.all(
    records.map(async ({ path, key }) => {
      const read = readOf(key, path);
      const body: unknown = await (await fetch(`${url}/api/2.0${read.path}`, { headers })).json();
      return [key, must(read.told(body).get(key), key)] as const;
    }),
  );
  return new Map(answers);
}

/** How a record is read alone: a step with its guide. */
function readOf(key: string, path: string): { path: string; told: (body: unknown) => Told } {
  if (key.startsWith('page/')) return { path, told: toldByPage };
  return { path: path.replace(/\/steps\/.*$/, ''), told: toldByGuide };
}

class Recorder {
  readonly operations = new Map<string, Operation[]>();
  readonly oddAnswers: string[] = [];
  readonly faults = { lost: 0, doubled: 0, killed: 0 };
  readonly acknowledged = new Set<string>();
  readonly unknown = new Set<string>();
  #events = 0;

  event(): number {
    this.#events += 1;
    return this.#events;
  }

  add(key: string, operation: Operation): void {
    const known = this.operations.get(key);
    if (known === undefined) this.operations.set(key, [operation]);
    else known.push(operation);
  }
}

interface Answer {
  status: number;
  body: unknown;
  isReplayed: boolean;
}

class ApiClient {
  readonly #number: number;
  readonly #token: string;
  readonly #server: KillableServer;
  readonly #history: Recorder;
  readonly #dice: Dice;
  /** The newest version of each record that it received. */
  readonly #known = new Map<string, Version>();
  #since: string;
  #texts = 0;

  constructor(number: number, token: string, server: KillableServer, history: Recorder, seed: number) {
    this.#number = number;
    this.#token = token;
    this.#server = server;
    this.#history = history;
    this.#dice = new Dice(seed * 1000 + number);
    this.#since = server.checkpoint;
  }

  async act(records: readonly CheckedRecord[], first: ReadonlyMap<string, Version>): Promise<void> {
    const record = must(records[this.#dice.below(records.length)], 'a record');
    const choice = this.#dice.below(100);
    if (choice < 4) await this.#comment(record);
    else if (choice < 50) await this.#save(record, must(first.get(record.key), record.key));
    else if (choice < 80) await this.#read(record);
    else if (choice < 90) await this.#list();
    else await this.#pull();
  }

  /** Reads every record once, after all writes. */
  async readAll(records: readonly CheckedRecord[]): Promise<void> {
    for (const record of records) await this.#read(record);
  }

  async #comment({ path }: CheckedRecord): Promise<void> {
    const guide = /^\/guides\/(?<guideid>\d+)/.exec(path)?.groups;
    if (guide === undefined) return;
    const text = this.#newText();
    const call = { method: 'POST' as const, key: v7(), body: JSON.stringify({ text }) };
    const answer = await this.#sent(
      `/api/2.0/comments/guide/${guide['guideid']}`,
      call,
      this.#dice.chance(0.5),
    );
    if (answer?.status === 201) this.#history.acknowledged.add(text);
    else this.#history.unknown.add(text);
    if (answer !== null && answer.status !== 201)
      this.#history.oddAnswers.push(`comment: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
  }

  #newText(): string {
    this.#texts += 1;
    return `client ${this.#number} text ${this.#texts}`;
  }

  /** On top of the newest version that it knows, or, one time in six, of an older one. */
  async #save({ key, path, body }: CheckedRecord, first: Version): Promise<void> {
    const { revisionid } = this.#dice.below(6) === 0 ? first : (this.#known.get(key) ?? first);
    const text = this.#newText();
    const asked = `/api/2.0${path}?revisionid=${revisionid}`;
    const call = { method: 'PATCH' as const, key: v7(), body: JSON.stringify(body(text)) };
    const start = this.#history.event();
    const answer = await this.#sent(asked, call, this.#dice.chance(0.5));
    const common = { client: this.#number, start, expected: revisionid };
    if (answer === null) {
      this.#history.add(key, { ...common, kind: 'unknown', end: Infinity, text });
      return;
    }
    const end = this.#history.event();
    const told = this.#understood(`save of ${key}`, answer, [200, 409], toldOf(key))?.get(key);
    if (told === undefined) {
      this.#history.add(key, { ...common, kind: 'unknown', end: Infinity, text });
    } else if (answer.status === 409) {
      this.#history.add(key, { ...common, kind: 'refusal', end, seen: told });
    } else if (answer.isReplayed) {
      // A replay returns the current record, which others may have saved since.
      this.#history.add(key, { ...common, kind: 'save', end, saved: { revisionid: null, text } });
      this.#history.add(key, { kind: 'read', client: this.#number, start, end, seen: told, via: 'replay' });
    } else {
      this.#history.add(key, { ...common, kind: 'save', end, saved: told });
      if (told.text !== text) this.#history.oddAnswers.push(`A save of "${text}" was answered: ${told.text}`);
    }
    this.#learn(key, told);
  }

  async #read({ key, path }: CheckedRecord): Promise<void> {
    const read = readOf(key, path);
    await this.#told(`/api/2.0${read.path}`, 'read', read.told);
  }

  async #list(): Promise<void> {
    await this.#told('/api/2.0/guides?limit=200', 'list', toldByList);
  }

  async #pull(): Promise<void> {
    await this.#told(`/sync/1/pull?since=${this.#since}&limit=2000`, 'pull', (lines) => {
      const rows = lines as unknown[];
      const { checkpoint } = rows.at(-1) as { checkpoint: string };
      this.#since = checkpoint;
      return toldByPull(rows.slice(1, -1));
    });
  }

  async #told(path: string, via: string, told: (body: unknown) => Told): Promise<void> {
    const start = this.#history.event();
    const answer = await this.#sent(path, { method: 'GET' }, false);
    if (answer === null) return;
    const end = this.#history.event();
    for (const [key, seen] of this.#understood(via, answer, [200], told) ?? []) {
      if (!this.#server.records.some((record) => record.key === key)) continue;
      this.#history.add(key, { kind: 'read', client: this.#number, start, end, seen, via });
      this.#learn(key, seen);
    }
  }

  #learn(key: string, told: Version | undefined): void {
    const known = this.#known.get(key);
    if (told !== undefined && told.revisionid > (known?.revisionid ?? 0)) this.#known.set(key, told);
  }

  #understood(
    what: string,
    { status, body }: Answer,
    expected: number[],
    told: (body: unknown) => Told,
  ): Told | null {
    try {
      if (expected.includes(status)) return told(body);
    } catch {
      // Reported below.
    }
    this.#history.oddAnswers.push(`${what}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
    return null;
  }

  /** The response; null: none arrived. `retries`: repeats the call under the same key until one arrives. */
  async #sent(path: string, call: Sent, retries: boolean): Promise<Answer | null> {
    for (;;) {
      const answer = await this.#attempt(path, call);
      if (answer !== null && answer.status !== 503) return answer;
      if (!retries) {
        await this.#server.ready();
        return null;
      }
      await wait(this.#dice.below(10));
      await this.#server.ready();
    }
  }

  /** One request, or two concurrent ones; one in thirty is aborted after a moment, whatever its outcome. */
  async #attempt(path: string, call: Sent): Promise<Answer | null> {
    const isLost = this.#dice.below(30) === 0;
    const isDoubled = call.method !== 'GET' && this.#dice.below(30) === 0;
    const signal = isLost ? AbortSignal.timeout(this.#dice.below(15)) : undefined;
    if (isLost) this.#history.faults.lost += 1;
    const request = this.#request(path, call, signal);
    if (!isDoubled) return request;
    this.#history.faults.doubled += 1;
    const [one, other] = await Promise.all([request, this.#request(path, call, undefined)]);
    if (one !== null && other !== null && one.status !== other.status)
      this.#history.oddAnswers.push(`Two answers under one key: ${one.status} and ${other.status}`);
    // The first effect returns the new revision; a replay only the current one.
    return one === null || one.isReplayed ? (other ?? one) : one;
  }

  async #request(path: string, call: Sent, signal: AbortSignal | undefined): Promise<Answer | null> {
    try {
      const response = await fetch(`${this.#server.url}${path}`, {
        method: call.method,
        headers: {
          Authorization: `api ${this.#token}`,
          ...(call.method !== 'GET' && {
            'Content-Type': 'application/json',
            'Idempotency-Key': call.key,
          }),
        },
        ...(call.method !== 'GET' && { body: call.body }),
        ...(signal !== undefined && { signal }),
      });
      const text = await response.text();
      const isReplayed = response.headers.get('idempotency-replayed') === 'true';
      return { status: response.status, body: bodyOf(text, path), isReplayed };
    } catch {
      return null;
    }
  }
}

type Sent = { method: 'GET' } | { method: 'PATCH' | 'POST'; key: string; body: string };

function toldOf(key: string): (body: unknown) => Told {
  if (key.startsWith('page/')) return toldByPage;
  return key.startsWith('step/') ? toldByStep : toldByGuide;
}

/** JSON, or JSON lines. */
function bodyOf(text: string, path: string): unknown {
  if (!path.startsWith('/sync/')) return JSON.parse(text);
  return text
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}
