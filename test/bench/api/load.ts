import autocannon from 'autocannon';

/** Requests per second, and how long 95 of 100 took at most, in ms. */
export interface Rate {
  perSecond: number;
  p95: number;
}

/** Reads one address with several connections. */
export async function readRate(
  url: string,
  headers: Record<string, string>,
  seconds: number,
  connections: number,
): Promise<Rate> {
  const times: number[] = [];
  const run = autocannon({ url, headers, duration: seconds, connections });
  run.on('response', (_client: unknown, status: number, _bytes: number, time: number) => {
    if (status !== 200) throw new Error(`${url} answered ${status}`);
    times.push(time);
  });
  const result = await run;
  if (result.errors > 0) throw new Error(`${url}: ${result.errors} requests failed`);
  return { perSecond: times.length / result.duration, p95: percentile(times, 0.95) };
}

/** Does one thing after the other in several lanes; `work` gets the number of its lane. */
export async function workRate(
  work: (lane: number) => Promise<void>,
  seconds: number,
  lanes: number,
): Promise<Rate> {
  const times: number[] = [];
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
  return { perSecond: (times.length * 1000) / (performance.now() - start), p95: percentile(times, 0.95) };
}

export function percentile(values: number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;
}
