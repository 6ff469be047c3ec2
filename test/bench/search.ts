/**
 * Prints how long the page is blocked while the search index of 5,000 guides is built, and how long a query takes
 * until the library shows its results: `node test/bench/search.ts`. Runs in Node on a mirror in memory, so it
 * measures the engine's own work, in processor time.
 */
import { randomBytes, randomUUID } from 'node:crypto';

import { of } from 'rxjs';

import { createViews } from '#desktop/engine/views/index.ts';
import type { LibraryPage } from '#desktop/engine/api/records.ts';
import { servicesOf } from '#desktop/engine/features/services.ts';
import type { Core } from '#desktop/engine/account/core.ts';
import { must } from '#shared/must.ts';
import { Bench } from '#test/desktop/engine/bench/bench.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';
import { Dice } from '#test/simulation/random.ts';
import { guideOf } from '#test/support/guide-edits.ts';

const guides = 5000;
const vocabulary = 60_000;
const queries = 200;

const syllables = 'ba con der fil gra hin jo ker lim mo nut pla qui ros ste tur val wex yor zim'.split(' ');

/** Word number `n`: deterministic, with more syllables the rarer it is. */
function wordOf(n: number): string {
  let rest = n;
  let word = '';
  do {
    word = must(syllables[rest % syllables.length], 'a syllable') + word;
    rest = Math.floor(rest / syllables.length);
  } while (rest > 0);
  return word;
}

/** Few words are frequent and most are rare, as in any language. */
function textOf(dice: Dice, count: number): string {
  return dice
    .times(count, () => wordOf(Math.floor(vocabulary ** (dice.below(10_000) / 10_000)) - 1))
    .join(' ');
}

function guide(guideid: number) {
  const dice = new Dice(guideid);
  const lines = dice.times(15 + dice.below(10), () => [textOf(dice, 8 + dice.below(10))]);
  const title = textOf(dice, 5);
  return guideOf(lines, {
    guideid,
    title,
    summary: textOf(dice, 12),
    tools: [],
    parts: [],
    prerequisites: [],
  });
}

/** Processor time of this thread, ms. */
function cpuNow(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Blocks of the event loop, ms, the longest first, until `isDone`. */
async function blocksUntil(isDone: () => boolean): Promise<number[]> {
  const blocks: number[] = [];
  let last = cpuNow();
  while (!isDone()) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = cpuNow();
    blocks.push(now - last);
    last = now;
  }
  return blocks.toSorted((a, b) => b - a);
}

function first(views: ReturnType<typeof createViews>, search: string): Promise<LibraryPage> {
  return new Promise((resolve, reject) => {
    const stop = views.library({ category: null, search }).subscribe((page) => {
      resolve(page);
      queueMicrotask(() => stop());
    }, reject);
  });
}

const server = StandInServer.still();
for (let id = 1; id <= guides; id += 1) server.put('guides', String(id), guide(id));
const bench = await Bench.open(server);
const core: Core = {
  ...bench.core,
  environment: {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    pageSession: randomUUID(),
    uuid: () => randomUUID(),
    random: () => 0.5,
    randomBytes: (size) => new Uint8Array(randomBytes(size)),
    fetch: () => Promise.reject(new Error('No network here')),
    setTimer: (run, ms) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    online: of(true),
  },
};
const views = createViews(core);
const stopLooking = views.library({ category: null }).subscribe(
  () => undefined,
  (error) => {
    throw error;
  },
);
const { index } = servicesOf(core);
const began = cpuNow();
await new Promise((resolve) => setTimeout(resolve, 50));
const blocks = await blocksUntil(() => index.isComplete);
process.stdout.write(
  `index of ${guides} guides: ${(cpuNow() - began).toFixed(0)} ms, longest blocks ${blocks
    .slice(0, 8)
    .map((ms) => ms.toFixed(0))
    .join(', ')} ms\n`,
);
await new Promise((resolve) => setTimeout(resolve, 1500));

const dice = new Dice(1);
const times: { ms: number; hits: number; search: string }[] = [];
for (let query = 0; query < queries; query += 1) {
  // A rare word, or a prefix of one, with a frequent one every other time.
  const rare = wordOf(10_000 + dice.below(50_000));
  const search = dice.chance(0.5) ? rare : `${rare} ${wordOf(dice.below(40))}`;
  const start = cpuNow();
  const page = await first(views, search);
  times.push({ ms: cpuNow() - start, hits: page.guides.length, search });
}
const few = 60;
for (const [what, some] of [
  [`queries of up to ${few} hits`, times.filter(({ hits }) => hits <= few)],
  ['queries of more hits', times.filter(({ hits }) => hits > few)],
] as const) {
  const byTime = some.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number) => must(byTime[Math.floor(byTime.length * share)], 'a time').toFixed(1);
  process.stdout.write(`${some.length} ${what}: median ${at(0.5)} ms, p95 ${at(0.95)} ms\n`);
}
stopLooking();
await bench.close();
