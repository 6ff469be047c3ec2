import autocannon from 'autocannon';

import { Dice } from '#test/simulation/random.ts';

/**
 * Requests per second, percentiles of their duration, and the processor time of each in the server process, in ms.
 */
export interface Rate {
  perSecond: number;
  p95: number;
  p975: number;
  processor: number;
}

/** Processor time that a process has used so far, in ms. */
export type Processor = () => Promise<number>;

/** Processor time of this process. */
export const ownProcessor: Processor = async () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Reads addresses of one server with several connections, each in an order of its own, again and again. */
export async function readRate(
  urls: readonly string[],
  headers: Record<string, string>,
  { seconds, lanes, processor }: { seconds: number; lanes: number; processor: Processor },
): Promise<Rate> {
  const times: number[] = [];
  const [url = ''] = urls;
  const requests = urls.map((one) => {
    const { pathname, search } = new URL(one);
    return { path: pathname + search, headers };
  });
  let connection = 0;
  const before = await processor();
  const run = autocannon({
    url,
    headers,
    duration: seconds,
    connections: lanes,
    setupClient: (client) => client.setRequests(new Dice((connection += 1)).shuffled(requests)),
  });
  run.on('response', (_client: unknown, status: number, _bytes: number, time: number) => {
    if (status !== 200) throw new Error(`${url} answered ${status}`);
    times.push(time);
  });
  const result = await run;
  if (result.errors > 0) throw new Error(`${url}: ${result.errors} requests failed`);
  const used = (await processor()) - before;
  return {
    perSecond: times.length / result.duration,
    p95: percentile(times, 0.95),
    p975: percentile(times, 0.975),
    processor: used / times.length,
  };
}

/** Runs `work` repeatedly in several parallel lanes; it gets the number of its lane. */
export async function workRate(
  work: (lane: number) => Promise<void>,
  { seconds, lanes, processor }: { seconds: number; lanes: number; processor: Processor },
): Promise<Rate> {
  const times: number[] = [];
  const before = await processor();
  const start = performance.now();
  const end = start + seconds * 1000;
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let at = performance.now(); at < end; at = performance.now()) {
        await work(lane);
        times.push(performance.now() - at);
      }
    }),
  );
  const perSecond = (times.length * 1000) / (performance.now() - start);
  const used = (await processor()) - before;
  return {
    perSecond,
    p95: percentile(times, 0.95),
    p975: percentile(times, 0.975),
    processor: used / times.length,
  };
}

export function percentile(values: number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;
}
