import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { Coverage } from './coverage.ts';
import { FleetWorld } from './fleet-world.ts';
import { mutantScenes } from './mutant-scenes.ts';
import { mutants, type Mutant } from './mutants.ts';
import type { Plan } from './plan.ts';
import { planOf, planOfScene } from './planner.ts';
import type { Result } from './run/record.ts';
import { Run } from './run/run.ts';
import { shrink } from './shrink.ts';

const usage = `npm run simulate -- --seeds N [--from S] [--minutes M] [--threads K] [--actions A] [--table]
npm run simulate -- --replay SEED|FILE [--trace] [--shrink]
npm run simulate -- --mutants [NAME…] [--from S] [--seeds N] [--threads K]
--mutants: each bug is looked for by the scene for it, short plans, and then whole plans
--scene NAME: plays this scene of scenes.ts, order-scenes.ts or follow-up-scenes.ts instead of whole plans`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    threads: { type: 'string', default: '1' },
    actions: { type: 'string' },
    scene: { type: 'string' },
    replay: { type: 'string' },
    trace: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
    mutants: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** The folder for failed plans. */
const failures = 'artifacts/simulation';
/** Maximum runs for shrinking a plan. */
const shrinkTries = 150;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function sized(seed: number): Plan {
  if (values.scene !== undefined) return planOfScene(values.scene, seed);
  if (values.actions === undefined) return planOf(seed);
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
    let world = await FleetWorld.open();
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
      if (result.violations.length === 0) continue;
      say(`  plan: ${keep(result.plan, `seed-${seed}`)}`);
      // A failure may have broken its threads.
      await world[Symbol.asyncDispose]();
      world = await FleetWorld.open();
    }
    await world[Symbol.asyncDispose]();
  };
  await Promise.all(Array.from({ length: Number(values.threads) }, work));
  const actions = total(results.map((one) => one.actions));
  const faults = total(results.map((one) => one.faults));
  say(`${results.length} seeds, ${sum(actions)} actions, ${sum(faults)} faults`);
  say(`actions: ${listed(actions)}`);
  say(`faults: ${listed(faults)}`);
  if (values.table) {
    const all = new Coverage();
    for (const { coverage } of results) all.join(coverage);
    say(all.table());
  }
  const broken = results.filter(({ violations }) => violations.length > 0);
  say(
    `${broken.length} seeds broke a rule${broken.length === 0 ? '' : `: ${broken.map(({ plan }) => plan.seed).join(', ')}`}`,
  );
  return broken.length === 0;
}

async function replay(what: string): Promise<boolean> {
  const plan = /^\d+$/.test(what) ? sized(Number(what)) : (JSON.parse(readFileSync(what, 'utf8')) as Plan);
  await using world = await FleetWorld.open();
  const result = await new Run(world, plan).play();
  if (values.trace) say(result.trace.join('\n'));
  tell(result);
  say(`trace of ${result.trace.length} lines, SHA-256 ${result.sha256}`);
  if (values.shrink && result.violations.length > 0) {
    const small = await shrink(result, shrinkTries);
    say(
      `${small.plan.steps.length} of ${plan.steps.length} steps are enough: ${keep(small.plan, `seed-${plan.seed}-small`)}`,
    );
    say(small.trace.join('\n'));
    tell(small);
  }
  return result.violations.length === 0;
}

/** Actions of the plans that are tried before whole ones, since they take a few seconds. */
const shortPlan = { actions: 100, faults: 10 };

/** The plans that look for a mutant, short ones first. */
function* plansFor({ name }: Mutant, seeds: readonly number[]): Generator<{ plan: Plan; kind: string }> {
  const scene = values.scene ?? mutantScenes[name];
  if (scene !== undefined)
    for (const seed of seeds) yield { plan: planOfScene(scene, seed), kind: `${scene}, ` };
  if (values.scene !== undefined) return;
  if (values.actions === undefined)
    for (const seed of seeds.slice(0, 3)) yield { plan: planOf(seed, shortPlan), kind: '100 actions, ' };
  for (const seed of seeds) yield { plan: sized(seed), kind: '' };
}

/** The first plan in which a mutant breaks a rule, and which; null: none. */
async function catchMutant(
  one: Mutant,
  seeds: readonly number[],
): Promise<{ where: string; rules: string } | null> {
  await using world = await FleetWorld.open(one);
  for (const { plan, kind } of plansFor(one, seeds)) {
    const { violations } = await new Run(world, plan).play();
    if (violations.length > 0)
      return {
        where: `${kind}seed ${plan.seed}`,
        rules: [...new Set(violations.map(({ rule }) => rule))].join(' '),
      };
  }
  return null;
}

async function runMutants(): Promise<boolean> {
  const wanted = mutants.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const seeds = Array.from({ length: Number(values.seeds ?? 6) }, (_, index) => Number(values.from) + index);
  const left = [...wanted];
  let caught = 0;
  const work = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      const found = await catchMutant(one, seeds);
      if (found !== null) caught += 1;
      const verdict = found === null ? 'NOT CAUGHT' : `${found.where}, ${found.rules}`;
      say(`promise ${one.promise}, ${one.name} (${one.breaks}): ${verdict}`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.threads) }, work));
  say(`${caught} of ${wanted.length} mutants were caught`);
  return caught === wanted.length;
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

if (values.help) {
  say(usage);
} else if (values.mutants) {
  process.exitCode = (await runMutants()) ? 0 : 1;
} else if (values.replay === undefined && values.seeds === undefined && values.minutes === undefined) {
  say(usage);
  process.exitCode = 2;
} else {
  const isKept = values.replay === undefined ? await runSeeds() : await replay(values.replay);
  process.exitCode = isKept ? 0 : 1;
}
