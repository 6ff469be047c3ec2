import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { FleetWorld } from './fleet-world.ts';
import { planOf, type Plan } from './plan.ts';
import { Run, type Result } from './run.ts';
import { shrink } from './shrink.ts';

const usage = `npm run simulate -- --seeds N [--from S] [--minutes M] [--threads K] [--actions A]
npm run simulate -- --replay SEED|FILE [--trace] [--shrink]`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    threads: { type: 'string', default: '1' },
    actions: { type: 'string', default: '500' },
    replay: { type: 'string' },
    trace: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
  },
});

/** Where plans that failed are written to. */
const failures = 'artifacts/simulation';
/** Runs that shrinking a plan may take. */
const shrinkTries = 150;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function sized(seed: number): Plan {
  const actions = Number(values.actions);
  return planOf(seed, { actions, faults: Math.max(1, Math.round(actions / 25)) });
}

function keep(plan: Plan, name: string): string {
  mkdirSync(failures, { recursive: true });
  const file = `${failures}/${name}.json`;
  writeFileSync(file, `${JSON.stringify(plan, null, 1)}\n`);
  return file;
}

function tell({ violations }: Result): void {
  for (const { rule, what } of violations) say(`  ${rule}: ${what}`);
}

async function runSeeds(): Promise<boolean> {
  const first = Number(values.from);
  const count = values.seeds === undefined ? Infinity : Number(values.seeds);
  const ends = values.minutes === undefined ? Infinity : Date.now() + Number(values.minutes) * 60_000;
  const results: Result[] = [];
  let next = first;
  const work = async (): Promise<void> => {
    await using world = new FleetWorld();
    while (next < first + count && Date.now() < ends) {
      const seed = (next += 1) - 1;
      const began = performance.now();
      const result = await new Run(world, sized(seed)).play();
      results.push(result);
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      const verdict = result.violations.length === 0 ? 'kept every rule' : 'BROKE A RULE';
      say(
        `seed ${seed}: ${verdict}, ${sum(result.actions)} actions, ${sum(result.faults)} faults, ${seconds} s`,
      );
      tell(result);
      if (result.violations.length > 0) say(`  plan: ${keep(result.plan, `seed-${seed}`)}`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.threads) }, work));
  const actions = total(results.map((one) => one.actions));
  const faults = total(results.map((one) => one.faults));
  say(`${results.length} seeds, ${sum(actions)} actions, ${sum(faults)} faults`);
  say(`actions: ${listed(actions)}`);
  say(`faults: ${listed(faults)}`);
  const broken = results.filter(({ violations }) => violations.length > 0);
  say(
    `${broken.length} seeds broke a rule${broken.length === 0 ? '' : `: ${broken.map(({ plan }) => plan.seed).join(', ')}`}`,
  );
  return broken.length === 0;
}

async function replay(what: string): Promise<boolean> {
  const plan = /^\d+$/.test(what) ? sized(Number(what)) : (JSON.parse(readFileSync(what, 'utf8')) as Plan);
  await using world = new FleetWorld();
  const result = await new Run(world, plan).play();
  if (values.trace) say(result.trace.join('\n'));
  tell(result);
  say(`trace of ${result.trace.length} lines, SHA-256 ${result.sha256}`);
  if (values.shrink && result.violations.length > 0) {
    const small = await shrink(() => world, result, shrinkTries);
    say(
      `${small.plan.steps.length} of ${plan.steps.length} steps are enough: ${keep(small.plan, `seed-${plan.seed}-small`)}`,
    );
    say(small.trace.join('\n'));
    tell(small);
  }
  return result.violations.length === 0;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((all, one) => all + one, 0);
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

function total(all: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [name, count] of all.flatMap((one) => [...one]))
    counts.set(name, (counts.get(name) ?? 0) + count);
  return counts;
}

if (values.replay === undefined && values.seeds === undefined && values.minutes === undefined) {
  say(usage);
  process.exitCode = 2;
} else {
  const isKept = values.replay === undefined ? await runSeeds() : await replay(values.replay);
  process.exitCode = isKept ? 0 : 1;
}
