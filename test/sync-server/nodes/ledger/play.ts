import { setTimeout as wait } from 'node:timers/promises';

import pg from 'pg';

import { must } from '#shared/must.ts';
import { Dice } from '#test/simulation/random.ts';
import { startPostgres, type PostgresServer } from '#test/support/postgres.ts';
import { startServer } from '#test/support/server.ts';
import { sync } from '#test/support/sync-calls.ts';

import { serverNodes, type ServerNode } from '../servers.ts';
import { Reader, Writer, type Flaws } from './clients.ts';
import { startProxy } from './proxy.ts';

export interface LedgerOptions {
  seed: number;
  writers: number;
  readers: number;
  /** Comments of all writers together. */
  rows: number;
  /** How often nodes are killed, and PostgreSQL. */
  nodeKills: number;
  databaseKills: number;
}

/** What was played, and everything that must not happen. */
export interface Ledger {
  flaws: Flaws;
  rows: number;
  /** Calls that were repeated, because their answer was lost or a refusal that passes. */
  repeated: number;
  proxy: 'nginx' | 'own';
}

/**
 * Lets writers and readers work with three nodes behind a proxy, while nodes and PostgreSQL are killed and restarted and
 * a long transaction reads, and compares what was acknowledged with the database and with what readers got.
 */
export async function playLedger(options: LedgerOptions): Promise<Ledger> {
  const dice = new Dice(options.seed);
  const flaws: Flaws = [];
  await using postgres = await startPostgres();
  const { tokens, guides, checkpoint } = await prepare(postgres.url, options.writers);
  using nodes = serverNodes(postgres.url);
  const all = [await nodes.start(), await nodes.start(), await nodes.start()];
  await using proxy = await startProxy(all.map(({ url }) => url));
  const writers = Array.from(
    { length: options.writers },
    (_, index) =>
      new Writer(
        proxy,
        must(tokens[index], 'a token'),
        must(guides[index], 'a guide'),
        `writer-${index}`,
        flaws,
        new Dice(options.seed * 1000 + index),
      ),
  );
  const readers = Array.from(
    { length: options.readers },
    (_, index) => new Reader(proxy, must(tokens[index], 'a token'), `reader-${index}`, checkpoint, flaws),
  );
  const done = (): number => writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  const isOver = (): boolean => done() >= options.rows || flaws.length > 0;
  const faults = new Faults(postgres, all, flaws, dice);
  await using long = await LongTransaction.open(postgres.url, flaws);
  await Promise.all([
    ...writers.map(async (writer) => {
      while (!isOver()) await writer.write();
    }),
    ...readers.map(async (reader) => {
      while (!isOver()) {
        const more = await reader.page();
        if (more !== true) await wait(50);
      }
    }),
    faults.play({ ...options, done, isOver, long }),
  ]);
  await faults.allUp();
  for (const reader of readers) while ((await reader.page()) !== false && flaws.length < 100) await wait(5);
  const acknowledged = writers.map((writer) =>
    Array.from({ length: writer.acknowledged }, (_, index) => writer.textOf(index + 1)),
  );
  for (const [index, reader] of readers.entries())
    compare(`reader-${index}`, acknowledged, reader.texts, flaws);
  compare('the feed', acknowledged, await storedTexts(postgres.url, flaws), flaws);
  const repeated = writers.reduce((sum, writer) => sum + writer.repeated, 0);
  return { flaws, rows: done(), repeated, proxy: proxy.kind };
}

async function prepare(database: string, people: number) {
  await using server = await startServer({ database, checked: false });
  await server.category('Radio');
  const tokens: string[] = [];
  const guides: number[] = [];
  let first;
  for (let number = 0; number < people; number += 1) {
    const person = await server.person(`Person${number}`);
    first ??= person;
    const { guideid } = await person.client.guides.create({
      body: { category: 'Radio', type: 'repair', title: `Guide ${number}`, public: true },
    });
    tokens.push(person.token);
    guides.push(guideid);
  }
  const { checkpoint } = await sync(server, must(first, 'a person'), 'bootstrap?collections=people');
  return { tokens, guides, checkpoint };
}

/** Compares the acknowledged texts of each writer, in order, with texts that somebody got. */
function compare(who: string, acknowledged: string[][], got: readonly string[], flaws: Flaws): void {
  const expected = acknowledged.flat();
  if (got.length !== expected.length) flaws.push(`${who} has ${got.length} comments, not ${expected.length}`);
  const places = new Map(got.map((text, index) => [text, index]));
  for (const own of acknowledged) {
    let before = -1;
    for (const text of own) {
      const place = places.get(text);
      if (place === undefined) flaws.push(`${who} has no ${text}`);
      else if (place < before) flaws.push(`${who} has ${text} before an earlier one`);
      before = place ?? before;
      if (flaws.length > 100) return;
    }
  }
}

/** The comments in the order of the feed. Also checks that the rows of the audit log follow each other. */
async function storedTexts(database: string, flaws: Flaws): Promise<string[]> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    const { rows: broken } = await client.query(
      `SELECT seq FROM (SELECT seq, prev_hash, lag(seq) OVER rows AS before, lag(hash) OVER rows AS hash
         FROM audit_log WINDOW rows AS (ORDER BY seq)) AS links
       WHERE before IS NOT NULL AND (seq <> before + 1 OR prev_hash <> hash)`,
    );
    if (broken.length > 0) flaws.push(`The audit log has ${broken.length} broken links`);
    const { rows } = await client.query<{ body: string }>(
      `SELECT documents.body FROM feed JOIN documents ON documents.collection = feed.collection AND documents.id = feed.id
       WHERE feed.collection = 'comments' ORDER BY feed.seq`,
    );
    return rows.map(({ body }) => (JSON.parse(body) as { text_raw: string }).text_raw);
  } finally {
    await client.end();
  }
}

/** A transaction that stays open and must always read the same. */
class LongTransaction implements AsyncDisposable {
  readonly #url: string;
  readonly #flaws: Flaws;
  #client: pg.Client;
  #count = 0;

  private constructor(url: string, flaws: Flaws) {
    this.#url = url;
    this.#flaws = flaws;
    this.#client = new pg.Client({ connectionString: url });
  }

  static async open(url: string, flaws: Flaws): Promise<LongTransaction> {
    const one = new LongTransaction(url, flaws);
    await one.begin();
    return one;
  }

  /** Begins it again, after PostgreSQL was restarted. */
  async begin(): Promise<void> {
    this.#client = new pg.Client({ connectionString: this.#url });
    this.#client.on('error', () => undefined);
    await this.#client.connect();
    await this.#client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    this.#count = await this.#read();
  }

  async check(): Promise<void> {
    const count = await this.#read();
    if (count !== this.#count)
      this.#flaws.push(`A transaction read ${this.#count} rows first and then ${count}`);
  }

  async #read(): Promise<number> {
    const { rows } = await this.#client.query<{ count: string }>('SELECT count(*) AS count FROM feed');
    return Number(rows[0]?.count);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }
}

/** Kills nodes and PostgreSQL, and starts them again. */
class Faults {
  readonly #postgres: PostgresServer;
  readonly #nodes: readonly ServerNode[];
  readonly #flaws: Flaws;
  readonly #dice: Dice;
  #restarts: Promise<unknown> = Promise.resolve();

  constructor(postgres: PostgresServer, nodes: readonly ServerNode[], flaws: Flaws, dice: Dice) {
    this.#postgres = postgres;
    this.#nodes = nodes;
    this.#flaws = flaws;
    this.#dice = dice;
  }

  /** Spreads the faults over the rows. */
  async play({
    rows,
    nodeKills,
    databaseKills,
    done,
    isOver,
    long,
  }: Pick<LedgerOptions, 'rows' | 'nodeKills' | 'databaseKills'> & {
    done: () => number;
    isOver: () => boolean;
    long: LongTransaction;
  }): Promise<void> {
    const kinds = this.#dice.shuffled([
      ...Array.from({ length: nodeKills }, () => 'node' as const),
      ...Array.from({ length: databaseKills }, () => 'database' as const),
    ]);
    for (const [index, kind] of kinds.entries()) {
      const at = ((index + 1) * rows) / (kinds.length + 1);
      while (done() < at && !isOver()) await wait(20);
      if (kind === 'database') {
        await long.check();
        // A node starts only while PostgreSQL runs.
        await this.#restarts;
        await this.#postgres.kill();
        await wait(this.#dice.below(500));
        await this.#postgres.restart();
        await long.begin();
      } else this.#restarts = this.#restarts.then(() => this.#replace());
    }
    await this.#restarts;
    await long.check();
  }

  async #replace(): Promise<void> {
    const node = must(this.#nodes[this.#dice.below(this.#nodes.length)], 'a node');
    await node.end(this.#dice.chance(0.7) ? 'SIGKILL' : 'SIGTERM');
    await node.start();
  }

  /** Resolves when all nodes answer, which they must do by themselves. */
  async allUp(): Promise<void> {
    for (const { url, process } of this.#nodes) {
      while (!(await isReady(url))) await wait(50);
      if (process.output.err !== '') this.#flaws.push(`A node wrote: ${process.output.err.slice(0, 500)}`);
    }
  }
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );
}
