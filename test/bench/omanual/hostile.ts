import { setTimeout as pause } from 'node:timers/promises';

import { hostileArchives, type HostileArchive } from '#test/support/hostile-archives.ts';

import { ImportServer } from './import-process.ts';

/** Targets: longest pause of the server, ms; memory of the server and of its workers over the start, MB. */
const aims = { pause: 100, server: 200, workers: 200 };

/** What the import of a file costs. */
interface Cost {
  name: string;
  state: string;
  seconds: number;
  pause: number;
  /** The longest work of the event loop, ms of processor time. */
  work: number;
  /** The slowest small GET of another client, ms. */
  slowest: number;
  server: number;
  workers: number;
}

/**
 * Imports each hostile file on one server, while another client makes small GETs. Returns a table; a missed target makes
 * the process exit with 1.
 */
export async function measureHostile(only: string): Promise<string> {
  await using server = await ImportServer.start();
  // The worker starts, and code is loaded.
  await importing(server, { name: 'first', filename: 'first.xml', bytes: () => small });
  const costs: Cost[] = [];
  for (const archive of hostileArchives.filter(({ name }) => new RegExp(only).test(name)))
    costs.push(await importing(server, archive));
  const isMissed = ({ pause: longest, server: own, workers }: Cost): boolean =>
    longest > aims.pause || own > aims.server || workers > aims.workers;
  if (costs.some(isMissed)) process.exitCode = 1;
  return [
    `Targets: at most ${aims.pause} ms of pause, ${aims.server} MB over the start in the server and in its workers.`,
    '| File | result | time | longest pause | longest work | slowest GET | server | workers |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...costs.map((cost) => {
      const { name, state, seconds, slowest, server: own, workers } = cost;
      const times = [cost.pause, cost.work, slowest].map((ms) => `${ms.toFixed(0)} ms`);
      const cells = [name, state, `${seconds.toFixed(1)} s`, ...times];
      const memory = [own, workers].map((megabytes) => `+${megabytes.toFixed(0)} MB`);
      return `| ${[...cells, ...memory].join(' | ')} |${isMissed(cost) ? ' missed' : ''}`;
    }),
  ].join('\n');
}

const small = Uint8Array.from(
  Buffer.from(
    '<guide xmlns="http://omanual.com/" locale="en"><title subject="Belt" type="repair">Belt</title></guide>',
  ),
);

async function importing(server: ImportServer, { name, filename, bytes }: HostileArchive): Promise<Cost> {
  const content = await bytes();
  await server.ask('memory');
  server.forgetPeaks();
  const before = server.peaks();
  const over = new AbortController();
  const reading = slowestRead(server.url, over.signal);
  const start = performance.now();
  const importid = await server.send(content, { filename, existing: 'new' });
  await server.ask('idle');
  const seconds = (performance.now() - start) / 1000;
  over.abort();
  const { state, error, report } = await server.read(importid);
  const peaks = server.peaks();
  const added = (which: 'server' | 'children'): number => Math.max(0, peaks[which] - before[which]) / 1e6;
  return {
    name,
    state: state === 'done' ? `done, ${report?.media ?? 0} files` : `${state}: ${error?.message ?? ''}`,
    seconds,
    pause: await server.ask('pause'),
    work: await server.ask('work'),
    slowest: await reading,
    server: added('server'),
    workers: added('children'),
  };
}

/** The slowest of many small GETs, one after the other, until `signal`, ms. */
async function slowestRead(url: string, signal: AbortSignal): Promise<number> {
  let slowest = 0;
  while (!signal.aborted) {
    const begun = performance.now();
    await (await fetch(`${url}/api/2.0/info`)).arrayBuffer();
    slowest = Math.max(slowest, performance.now() - begun);
    await pause(5);
  }
  return slowest;
}
