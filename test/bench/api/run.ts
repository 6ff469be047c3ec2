/** `npm run bench:api`: ten typical calls beside the limits of the machine (README.md of test/bench). */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

import { must } from '#shared/must.ts';
import { RawHttp } from '#test/support/raw-http.ts';
import { Passwords } from '#server/features/tokens/passwords.ts';

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

/** One line of the table. `fresh`: the same call without the response cache. */
interface Line {
  what: string;
  measured: Rate[];
  limit: Rate[];
  fresh: Rate[];
  aim: number;
  beside: string;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const children: ChildProcess[] = [];

/** Starts a program of this folder; returns its first line, and a function for its processor time. */
async function start<T>(program: string, ...args: string[]): Promise<{ said: T; processor: Processor }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  children.push(child);
  const processor = async (): Promise<number> => {
    child.send('processor');
    const [used] = (await once(child, 'message')) as [number];
    return used;
  };
  for await (const line of createInterface({ input: must(child.stdout, 'an output') }))
    return { said: JSON.parse(line) as T, processor };
  throw new Error(`${program} ended`);
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
      if (line.measureFresh !== undefined) line.fresh.push(await line.measureFresh());
    }
  say(tableOf(chosen));
}

interface Measuring extends Line {
  measure: () => Promise<Rate>;
  measureLimit: () => Promise<Rate>;
  measureFresh?: () => Promise<Rate>;
}

function line(what: string, aim: number, beside: string, how: Omit<Measuring, keyof Line>): Measuring {
  return { what, measured: [], limit: [], fresh: [], aim, beside, ...how };
}

/** Reads beside a bare route that sends the same bytes. */
async function readLines(ground: Ground, processor: Processor, folder: string): Promise<Measuring[]> {
  const token = { Authorization: `api ${ground.token}` };
  const api = (path: string): string => `${ground.url}/api/2.0${path}`;
  const reads: [what: string, url: string, headers: Record<string, string>][] = [
    ['guide list of 20', api('/guides?limit=20'), {}],
    ['guide list of 200', api('/guides?limit=200'), {}],
    ['full guide of 20 steps', api(`/guides/${ground.guideid}`), {}],
    ['category hierarchy', api('/wikis/CATEGORY?display=hierarchy'), {}],
    ['search', api(`/search/${ground.word}`), {}],
    ['work log list', api('/work_log?limit=20'), token],
    ['image of a size', ground.url + ground.imagePath, {}],
  ];
  const bytes = join(folder, 'bytes');
  mkdirSync(bytes);
  for (const [index, [, url, headers]] of reads.entries()) {
    const answer = await fetch(url, { headers });
    const ending = answer.headers.get('content-type')?.startsWith('image/') === true ? 'jpg' : 'json';
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
    writeFileSync(join(bytes, `${index}.${ending}`), Buffer.from(await answer.arrayBuffer()));
  }
  const bare = await start<{ url: string }>('bare.ts', bytes);
  return reads.map(([what, url, headers], index) => {
    const isPicture = what.startsWith('image');
    const same = `${bare.said.url}/${index}.${isPicture ? 'jpg' : 'json'}`;
    const anew = { ...headers, 'Cache-Control': 'no-cache' };
    return line(what, 0.5, 'bare route, same bytes', {
      measure: () => readRate(url, headers, { seconds, lanes, processor }),
      measureLimit: () => readRate(same, {}, { seconds, lanes, processor: bare.processor }),
      ...(isPicture ? {} : { measureFresh: () => readRate(url, anew, { seconds, lanes, processor }) }),
    });
  });
}

/** Writes beside writes of SQLite alone, and signing in beside the hash of the password alone. */
async function writeLines(ground: Ground, processor: Processor, folder: string): Promise<Measuring[]> {
  const http = new RawHttp(ground.url, lanes);
  const load = { seconds, lanes, processor };
  const call = async (method: string, path: string, body: object, status: number): Promise<string> => {
    const answer = await http.send({
      method,
      url: `/api/2.0${path}`,
      headers: { authorization: `api ${ground.token}`, 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    });
    if (answer.statusCode !== status)
      throw new Error(`${method} ${path}: ${answer.statusCode} ${answer.body}`);
    return answer.body;
  };
  const revisions = new Map<number, number>();
  let count = 0;
  const patch = async (lane: number): Promise<void> => {
    const guideid = 100 + lane;
    const revisionid = revisions.get(lane) ?? guideid;
    count += 1;
    const saved = await call(
      'PATCH',
      `/guides/${guideid}?revisionid=${revisionid}`,
      { summary: `No ${count}` },
      200,
    );
    // The load should cost little: the rest of the response is not parsed.
    revisions.set(lane, Number(must(/"revisionid":(\d+),"/.exec(saved)?.[1], 'a revision')));
  };
  const stepData = async (lane: number): Promise<void> => {
    count += 1;
    const turn = (lane + lanes * count) % ground.entries.length;
    const { entryid, field_revisionid } = must(ground.entries[turn], 'an entry');
    await call('PUT', `/work_log/${entryid}/stepData`, { fields: { [field_revisionid]: `${count}` } }, 200);
  };
  const signIn = async (): Promise<void> => void (await call('POST', '/user/token', ground.credentials, 201));
  const passwords = new Passwords();
  const hash = await passwords.hash(ground.credentials.password);
  const verify = async (): Promise<void> => void (await passwords.verify(hash, ground.credentials.password));
  return [
    line('patch with revisionid', 0.7, 'SQLite alone, same bytes', {
      measure: () => workRate(patch, load),
      measureLimit: () => rawRate(folder, [6000, 6000, 200], seconds),
    }),
    line('step data', 0.7, 'SQLite alone, same bytes', {
      measure: () => workRate(stepData, load),
      measureLimit: () => rawRate(folder, [1500, 200], seconds),
    }),
    line('token', 0.7, 'hash of the password alone', {
      measure: () => workRate(signIn, load),
      measureLimit: () => workRate(verify, { ...load, processor: ownProcessor }),
    }),
  ];
}

function tableOf(lines: readonly Line[]): string {
  const rows = lines.map(({ what, measured, limit, fresh, aim, beside }) => {
    const ratios = measured.map((rate, index) => rate.perSecond / must(limit[index], 'a limit').perSecond);
    const ratio = median(ratios);
    const ms = median(measured.map((rate) => rate.p95));
    return [
      what,
      perSecond(measured),
      `${ms.toFixed(1)} ms`,
      perSecond(limit),
      ratio.toFixed(2),
      `${aim} ${ratio >= aim ? 'met' : 'missed'}`,
      processorTime(measured),
      processorTime(limit),
      fresh.length === 0 ? '' : perSecond(fresh),
      fresh.length === 0 ? '' : processorTime(fresh),
      beside,
    ];
  });
  const head = [
    '',
    'requests/s',
    'p95',
    'limit/s',
    'ratio',
    'aim',
    'processor ms',
    "limit's ms",
    'made anew/s',
    'its ms',
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
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
}
