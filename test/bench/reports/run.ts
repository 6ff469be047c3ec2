/**
 * Measures reports of 100,000 finished orders over HTTP, beside reading the same rows, and what another person notices of
 * them: `npm run bench:reports`. A quick run is `npm run bench:reports -- --orders 10000 --rounds 3`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { databaseName } from '#server/storage/sqlite.ts';
import { startServerProcess } from '#test/support/server-process.ts';

import { median, tableOf, type Figure } from '../table.ts';
import { days, fieldOf, fill } from './fill.ts';

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '7' },
    /** A folder that keeps the data for the next run. */
    data: { type: 'string' },
  },
});
/** What another call may wait because of a report, ms. */
const mostWait = 100;
const rounds = Number(values.rounds);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const dataDir = values.data ?? mkdtempSync(join(tmpdir(), 'benchbook-reports-bench-'));

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

try {
  const ground = await fill(dataDir, Number(values.orders));
  await using server = await startServerProcess({ dataDir });
  await using floor = await startFloor();
  const ask = async (token: string, path: string): Promise<{ orders?: number }> => {
    const response = await fetch(`${server.url}/api/2.0${path}`, {
      headers: { Authorization: `api ${token}` },
    });
    const body = (await response.json()) as { orders?: number };
    if (response.status !== 200) throw new Error(`${path} answers ${response.status}`);
    return body;
  };

  /** Runs `work` while another person reads their own record again and again. Returns the slowest of these calls, ms. */
  const slowestBeside = async (work: () => Promise<unknown>): Promise<number> => {
    let isDone = false;
    let slowest = 0;
    const working = work().finally(() => (isDone = true));
    while (!isDone) slowest = Math.max(slowest, await timeOf(() => ask(ground.worker, '/user')));
    await working;
    return slowest;
  };

  const { guideid, until } = ground;
  const time = `from=${until - days * 24 * 3600}&until=${until}`;
  const range = `ended >= ${until - days * 24 * 3600} AND ended < ${until}`;
  const ofGuide = `guideid = ${guideid} AND ${range}`;
  const reports: [what: string, token: string, path: string, rows: string][] = [
    [
      'durations by guide',
      ground.admin,
      'durations?by=guide',
      `SELECT sum(active) FROM finished_orders WHERE ${range}`,
    ],
    [
      'durations by person',
      ground.admin,
      'durations?by=person',
      `SELECT sum(active) FROM finished_orders WHERE ${range}`,
    ],
    [
      'durations by step of a guide',
      ground.admin,
      `durations?by=step&guideid=${guideid}`,
      `SELECT sum(seconds) FROM finished_orders JOIN step_times USING (entryid) WHERE ${ofGuide}`,
    ],
    [
      'first-pass yield',
      ground.admin,
      'first_pass_yield?',
      `SELECT sum(missing), count(deviationid) FROM finished_orders LEFT JOIN deviations USING (entryid) WHERE ${range}`,
    ],
    [
      'deviations by field',
      ground.admin,
      'deviations?by=field',
      `SELECT sum(length(body)) FROM finished_orders JOIN deviations USING (entryid)
         JOIN documents ON collection = 'deviations' AND id = CAST(deviationid AS TEXT) WHERE ${range}`,
    ],
    [
      'number fields',
      ground.admin,
      'number_fields?',
      `SELECT count(label) FROM measured_numbers WHERE ${range}`,
    ],
    [
      'values of a number field',
      ground.admin,
      `numbers?field_guid=${fieldOf(guideid, 1)}`,
      `SELECT * FROM measured_numbers WHERE field_guid = '${fieldOf(guideid, 1)}' AND ${range} LIMIT 1001`,
    ],
    ['durations by person, of a lead', ground.lead, 'durations?by=person', 'SELECT 1'],
    ['first-pass yield, of a lead', ground.lead, 'first_pass_yield?', 'SELECT 1'],
    ['deviations by field, of a lead', ground.lead, 'deviations?by=field', 'SELECT 1'],
    ['number fields, of a lead', ground.lead, 'number_fields?', 'SELECT 1'],
    [
      'values of a number field, of a lead',
      ground.lead,
      `numbers?field_guid=${fieldOf(guideid, 1)}`,
      'SELECT 1',
    ],
    ['durations by guide, of a worker', ground.worker, 'durations?by=guide', 'SELECT 1'],
  ];
  const idle: number[] = [];
  for (let round = 0; round < 20 * rounds; round += 1)
    idle.push(await timeOf(() => ask(ground.worker, '/user')));
  const figures: Figure[] = [];
  for (const [what, token, path, rows] of reports) {
    const [times, floors, waits]: [number[], number[], number[]] = [[], [], []];
    let orders: number | undefined;
    const address = `/reports/${path}&${time}`.replace('?&', '?');
    await ask(token, address);
    for (let round = 0; round < rounds; round += 1) {
      times.push(await timeOf(async () => ({ orders } = await ask(token, address))));
      floors.push(await timeOf(() => floor.read(rows)));
      waits.push(await slowestBeside(() => ask(token, address)));
    }
    const wait = Math.max(...waits);
    const isSum = rows !== 'SELECT 1';
    figures.push({
      what: `${what} (${orders} orders)`,
      value: median(times),
      unit: 'ms',
      ...(isSum && { floor: { what: 'the same rows', value: median(floors) } }),
      note: `slowest call beside it ${wait.toFixed(0)} ms${wait > mostWait ? `, above ${mostWait} ms` : ''}`,
    });
  }
  say(tableOf(figures));
  say(
    `A call of another person alone: ${median(idle).toFixed(1)} ms, at most ${Math.max(...idle).toFixed(0)} ms`,
  );
} finally {
  if (values.data === undefined) rmSync(dataDir, { recursive: true, force: true });
}

interface Floor extends AsyncDisposable {
  read: (sql: string) => Promise<unknown>;
}

async function startFloor(): Promise<Floor> {
  const script = fileURLToPath(new URL('floor.ts', import.meta.url));
  const child = spawn(process.execPath, [script, join(dataDir, databaseName)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8').trim())),
  );
  return {
    read: async (sql) => (await fetch(`${url}/?sql=${encodeURIComponent(sql)}`)).json(),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
    },
  };
}
