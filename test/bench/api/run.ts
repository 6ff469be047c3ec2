/** `npm run bench:api`: typical calls beside the limits of the machine (README.md of test/bench). */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { must } from '#shared/must.ts';
import { Dice } from '#test/simulation/random.ts';
import { RawHttp } from '#test/support/raw-http.ts';
import { clientOf } from '#test/support/server.ts';
import { Passwords } from '#server/features/tokens/passwords.ts';

import { Programs, type Program } from '../program.ts';
import { corpusWords } from '../corpus.ts';
import { ownProcessor, readRate, workRate, type Processor, type Rate } from './load.ts';
import { rawRate } from './raw.ts';
import type { Ground } from './server.ts';

const { values } = parseArgs({
  options: {
    guides: { type: 'string', default: '5000' },
    categories: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
  },
});
const seconds = Number(values.seconds);
const lanes = 8;

/** Different requests of each kind. */
const variety = 400;
/** Writes beside the reads, each of another guide. */
const writesPerSecond = 10;

/** One line of the table. `quiet`: the same calls without writes beside them. */
interface Line {
  what: string;
  measured: Rate[];
  limit: Rate[];
  quiet: Rate[];
  aim: number;
  beside: string;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const programs = new Programs();

/** Starts a program of this folder. */
function start<T>(name: string, ...args: string[]): Promise<Program<T>> {
  return programs.start(join(import.meta.dirname, name), ...args);
}

async function main(folder: string): Promise<void> {
  say(`Preparing ${values.guides} guides and ${values.categories} categories …`);
  const { said: ground, processor } = await start<Ground>('server.ts', values.guides, values.categories);
  const lines = [
    ...(await readLines(ground, processor, folder)),
    ...(await writeLines(ground, processor, folder)),
  ];
  const chosen = lines.filter(({ what }) => what.includes(values.only));
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const line of chosen) {
      line.limit.push(await line.measureLimit());
      line.measured.push(await line.measure());
      if (line.measureQuiet !== undefined) line.quiet.push(await line.measureQuiet());
    }
  say(tableOf(chosen));
}

interface Measuring extends Line {
  measure: () => Promise<Rate>;
  measureLimit: () => Promise<Rate>;
  measureQuiet?: () => Promise<Rate>;
}

function line(what: string, aim: number, beside: string, how: Omit<Measuring, keyof Line>): Measuring {
  return { what, measured: [], limit: [], quiet: [], aim, beside, ...how };
}

/** The reads of each kind: another guide, page, word and person each time. */
function readsOf(
  ground: Ground,
): { what: string; paths: string[]; headers?: Record<string, string>; aim: number }[] {
  const dice = new Dice(1);
  const each = (path: () => string): string[] =>
    [...new Set(dice.times(variety, path))].map((one) => `/api/2.0${one}`);
  const guide = (): number => 1 + dice.below(ground.guides);
  const page = (limit: number): string =>
    `limit=${limit}&offset=${limit * dice.below(Math.ceil(ground.guides / limit))}`;
  const token = { Authorization: `api ${ground.token}` };
  const [first = 0, ...others] = ground.userids;
  return [
    { what: 'guide list of 20', paths: each(() => `/guides?${page(20)}`), aim: 0.3 },
    { what: 'guide list of 200', paths: each(() => `/guides?${page(200)}`), aim: 0.2 },
    { what: 'full guide', paths: each(() => `/guides/${guide()}`), aim: 0.4 },
    {
      what: 'category',
      paths: each(() => `/wikis/CATEGORY/Machine ${1 + dice.below(ground.categories)}`),
      aim: 0.2,
    },
    { what: 'category hierarchy', paths: ['/api/2.0/wikis/CATEGORY?display=hierarchy'], aim: 0.2 },
    {
      what: 'search of two words',
      paths: each(() => `/search/${dice.one(corpusWords)} ${dice.one(corpusWords)}`),
      aim: 0.1,
    },
    {
      what: 'work log of a person',
      paths: each(() => `/work_log?limit=20&userid=${dice.one([first, ...others])}&offset=${dice.below(12)}`),
      headers: token,
      aim: 0.2,
    },
    { what: 'image of a size', paths: [ground.imagePath], aim: 0.5 },
  ];
}

/** Reads beside a bare route that sends the same bytes. */
async function readLines(ground: Ground, processor: Processor, folder: string): Promise<Measuring[]> {
  const writing = new Writing(ground);
  const bytes = join(folder, 'bytes');
  mkdirSync(bytes);
  const lines: (Omit<Line, 'measured' | 'limit' | 'quiet' | 'beside'> & {
    urls: string[];
    names: string[];
    headers: Record<string, string>;
  })[] = [];
  for (const [index, { what, paths, headers = {}, aim }] of readsOf(ground).entries()) {
    const urls = paths.map((path) => ground.url + path.replaceAll(' ', '%20'));
    const names: string[] = [];
    for (const [at, url] of urls.entries()) {
      const answer = await fetch(url, { headers });
      const ending = answer.headers.get('content-type')?.startsWith('image/') === true ? 'jpg' : 'json';
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
      const name = `${index}-${at}.${ending}`;
      writeFileSync(join(bytes, name), Buffer.from(await answer.arrayBuffer()));
      names.push(name);
    }
    lines.push({ what, aim, urls, names, headers });
  }
  const bare = await start<{ url: string }>('bare.ts', bytes);
  const load = { seconds, lanes, processor };
  const limitOf = (names: string[]) => (): Promise<Rate> =>
    readRate(
      names.map((name) => `${bare.said.url}/${name}`),
      {},
      { seconds, lanes, processor: bare.processor },
    );
  const named = (wanted: string): (typeof lines)[number] =>
    must(
      lines.find(({ what }) => what === wanted),
      wanted,
    );
  const [small, large] = [named('full guide'), named('guide list of 200')];
  return [
    ...lines.map(({ what, aim, urls, names, headers }) =>
      line(what, aim, 'bare route, same bytes', {
        measure: () => writing.beside(() => readRate(urls, headers, load)),
        measureLimit: limitOf(names),
        measureQuiet: () => readRate(urls, headers, load),
      }),
    ),
    line('full guide beside lists of 200', 0, 'bare route, same bytes', {
      measure: async () => {
        // The server answers one question about its processor time at a time.
        const beside = { ...load, processor: ownProcessor };
        const both = [readRate(small.urls, {}, load), readRate(large.urls, {}, beside)];
        const [rate] = await writing.beside(() => Promise.all(both));
        return must(rate, 'the rate');
      },
      measureLimit: limitOf(small.names),
    }),
  ];
}

/** Renames guides at a steady rate while something is measured. */
class Writing {
  readonly #call: ReturnType<typeof clientOf>;
  readonly #guides: number;
  readonly #revisions = new Map<number, number>();
  #count = 0;

  constructor({ url, token, guides }: Ground) {
    this.#call = clientOf(url, token);
    this.#guides = guides;
  }

  async beside<T>(work: () => Promise<T>): Promise<T> {
    const running: Promise<void>[] = [];
    const timer = setInterval(() => running.push(this.#write()), 1000 / writesPerSecond);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      await Promise.all(running);
    }
  }

  async #write(): Promise<void> {
    this.#count += 1;
    // The calls that are measured change the guides from 100 to 107.
    const guideid = 108 + ((this.#count * 37) % (this.#guides - 107));
    const revisionid = this.#revisions.get(guideid) ?? (await this.#revisionOf(guideid));
    const path = `/guides/${guideid}?revisionid=${revisionid}`;
    const { status, body } = await this.#call('PATCH', path, { summary: `Write ${this.#count}` });
    if (status !== 200) throw new Error(`PATCH answered ${status}`);
    this.#revisions.set(guideid, (body as { revisionid: number }).revisionid);
  }

  async #revisionOf(guideid: number): Promise<number> {
    const { body } = await this.#call('GET', `/guides/${guideid}`);
    return (body as { revisionid: number }).revisionid;
  }
}

/** Writes beside writes of SQLite alone, and signing in beside the hash of the password alone. */
async function writeLines(ground: Ground, processor: Processor, folder: string): Promise<Measuring[]> {
  const http = new RawHttp(ground.url, lanes);
  const load = { seconds, lanes, processor };
  const call = async (
    method: string,
    path: string,
    body: object | null,
    status: number,
    token: string = ground.token,
  ): Promise<string> => {
    const answer = await http.send({
      method,
      url: `/api/2.0${path}`,
      headers: { authorization: `api ${token}`, 'content-type': 'application/json' },
      payload: body === null ? undefined : JSON.stringify(body),
    });
    if (answer.statusCode !== status)
      throw new Error(`${method} ${path}: ${answer.statusCode} ${answer.body}`);
    return answer.body;
  };
  const revisions = new Map<number, number>();
  let count = 0;
  const patch = async (lane: number): Promise<void> => {
    const guideid = 100 + lane;
    const revisionid = revisions.get(lane) ?? revisionIn(await call('GET', `/guides/${guideid}`, null, 200));
    count += 1;
    const saved = await call(
      'PATCH',
      `/guides/${guideid}?revisionid=${revisionid}`,
      { summary: `No ${count}` },
      200,
    );
    revisions.set(lane, revisionIn(saved));
  };
  const stepData = async (lane: number): Promise<void> => {
    count += 1;
    const turn = (lane + lanes * count) % ground.entries.length;
    const { entryid, field_revisionid, token } = must(ground.entries[turn], 'an entry');
    await call(
      'PUT',
      `/work_log/${entryid}/stepData`,
      { fields: { [field_revisionid]: `${count}` } },
      200,
      token,
    );
  };
  const signIn = async (): Promise<void> => void (await call('POST', '/user/token', ground.credentials, 201));
  const passwords = new Passwords();
  const hash = await passwords.hash(ground.credentials.password);
  const verify = async (): Promise<void> => void (await passwords.verify(hash, ground.credentials.password));
  return [
    line('patch with revisionid', 0.3, 'SQLite alone, same bytes', {
      measure: () => workRate(patch, load),
      measureLimit: () => rawRate(folder, [6000, 6000, 200], seconds),
    }),
    line('step data', 0.3, 'SQLite alone, same bytes', {
      measure: () => workRate(stepData, load),
      measureLimit: () => rawRate(folder, [1500, 200], seconds),
    }),
    line('token', 0.7, 'hash of the password alone', {
      measure: () => workRate(signIn, load),
      measureLimit: () => workRate(verify, { ...load, processor: ownProcessor }),
    }),
  ];
}

/** The revision of a guide in a response. The load should cost little: the rest is not parsed. */
function revisionIn(guide: string): number {
  return Number(must(/"revisionid":(\d+),"/.exec(guide)?.[1], 'a revision'));
}

function tableOf(lines: readonly Line[]): string {
  const rows = lines.map(({ what, measured, limit, quiet, aim, beside }) => {
    const ratios = measured.map((rate, index) => rate.perSecond / must(limit[index], 'a limit').perSecond);
    const ratio = median(ratios);
    return [
      what,
      perSecond(measured),
      `${median(measured.map(({ p95 }) => p95)).toFixed(1)} / ${median(measured.map(({ p975 }) => p975)).toFixed(1)}`,
      perSecond(limit),
      ratio.toFixed(2),
      `${aim} ${ratio >= aim ? 'met' : 'missed'}`,
      processorTime(measured),
      processorTime(limit),
      quiet.length === 0 ? '' : perSecond(quiet),
      beside,
    ];
  });
  const head = [
    '',
    'requests/s',
    'p95 / p97.5 ms',
    'limit/s',
    'ratio',
    'aim',
    'processor ms',
    "limit's ms",
    'without writes/s',
    'limit',
  ];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, at) =>
          at === 0 || at === head.length - 1 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function perSecond(rates: readonly Rate[]): string {
  return Math.round(median(rates.map((rate) => rate.perSecond))).toLocaleString('en');
}

/** Processor time of a request, in ms: other processes slow a request down without adding work to it. */
function processorTime(rates: readonly Rate[]): string {
  return median(rates.map((rate) => rate.processor)).toFixed(2);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

const folder = mkdtempSync(join(tmpdir(), 'benchbook-bench-api-'));
try {
  await main(folder);
} finally {
  programs[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
}
