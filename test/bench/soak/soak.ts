import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { percentile } from '#test/bench/api/load.ts';
import { startServerProcess } from '#test/support/server-process.ts';

import { workingSession, type Caller } from './session.ts';

/** One stretch of the run. */
export interface Stretch {
  /** Minutes since the start. */
  minute: number;
  calls: number;
  /** 95th percentile of the duration of calls, ms. */
  p95: number;
  /** Resident memory of the server, bytes. */
  memory: number;
  /** Write-ahead log of the database, bytes. */
  wal: number;
  /** Open file descriptors of the server. */
  handles: number;
}

interface SoakOptions {
  minutes: number;
  /** People who work at the same time. */
  people: number;
  /** Pause of a person between two calls, ms. */
  pauseMs: number;
  /** Number of stretches that are reported. */
  stretches: number;
}

/** Lets people work on a server of its own, and reads what the server takes. Linux only (`/proc`). */
export async function soak({ minutes, people, pauseMs, stretches }: SoakOptions): Promise<Stretch[]> {
  await using server = await startServerProcess();
  const { url, pid, dataDir, passwords } = server;
  const [account] = [...passwords].filter(([email]) => email.startsWith('ana'));
  if (account === undefined) throw new Error('The demo has no technician');
  const [email, password] = account;
  const token = await signIn(url, email, password);
  const times: number[] = [];
  let isOver = false;
  const working = Array.from({ length: people }, async (_, person) => {
    for (let round = 0; !isOver; round += 1)
      await workingSession(callerOf(url, token, times, pauseMs), `p${person}r${round}`);
  });
  // A failed person ends the run at once.
  const failed = Promise.all(working).then(() => undefined);
  const rows: Stretch[] = [];
  for (let stretch = 1; stretch <= stretches; stretch += 1) {
    // A stretch of time is what is measured.
    await Promise.race([sleep((minutes * 60_000) / stretches), failed]);
    const done = times.splice(0);
    rows.push({
      minute: Math.round((minutes * stretch) / stretches),
      calls: done.length,
      p95: percentile(done, 0.95),
      memory: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024,
      wal: statSync(join(dataDir, 'benchbook.sqlite-wal')).size,
      handles: readdirSync(`/proc/${pid}/fd`).length,
    });
  }
  isOver = true;
  await failed;
  return rows;
}

async function signIn(url: string, email: string, password: string): Promise<string> {
  const answer = await fetch(`${url}/api/2.0/user/token`, {
    method: 'POST',
    body: JSON.stringify({ email, password }),
  });
  return ((await answer.json()) as { authToken: string }).authToken;
}

function callerOf(url: string, token: string, times: number[], pauseMs: number): Caller {
  const send = async (
    method: string,
    path: string,
    body: string | Uint8Array<ArrayBuffer> | undefined,
    wanted: number,
  ): Promise<Uint8Array> => {
    // People think between two calls.
    await sleep(pauseMs);
    const begun = performance.now();
    const answer = await fetch(url + path, {
      method,
      headers: {
        Authorization: `api ${token}`,
        ...(typeof body === 'string' || path.startsWith('/sync')
          ? { 'Content-Type': 'application/json' }
          : {}),
      },
      ...(body === undefined ? {} : { body }),
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    times.push(performance.now() - begun);
    if (answer.status !== wanted)
      throw new Error(`${method} ${path}: ${answer.status} ${new TextDecoder().decode(bytes).slice(0, 300)}`);
    return bytes;
  };
  return {
    async json<T>(method: string, path: string, body?: unknown, wanted = 200) {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const bytes = await send(method, path, text, wanted);
      return (bytes.length === 0 ? undefined : JSON.parse(new TextDecoder().decode(bytes))) as T;
    },
    bytes: (method, path, body, wanted = 200) =>
      send(method, path, body === undefined ? undefined : new Uint8Array(body), wanted),
  };
}

/** The run as a table, each figure beside its ratio to the first stretch after the warm-up. */
export function soakTable(rows: readonly Stretch[]): string {
  const base = rows[1] ?? rows[0];
  const megabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;
  const ratio = (now: number, then: number | undefined): string =>
    then === undefined || then === 0 ? '' : ` (${(now / then).toFixed(2)}×)`;
  return [
    '| minute | calls | p95 | memory | write-ahead log | file handles |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(({ minute, calls, p95, memory, wal, handles }) =>
      [
        '',
        String(minute),
        String(calls),
        `${p95.toFixed(1)} ms${ratio(p95, base?.p95)}`,
        `${megabytes(memory)}${ratio(memory, base?.memory)}`,
        megabytes(wal),
        `${handles}${ratio(handles, base?.handles)}`,
        '',
      ]
        .join(' | ')
        .trim(),
    ),
  ].join('\n');
}
