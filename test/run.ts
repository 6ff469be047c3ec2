import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { buildAppIfStale } from '#server/bootstrap/build-app.ts';

import { contract, missingAnswers, readStatuses } from './support/answered-statuses.ts';
import { ensureBrowser } from './support/browser.ts';
import { filesOfSqlite, leftOut, leftOutVariable } from './support/left-out.ts';
import { notShown, part11, readReports } from './support/part-11-claims.ts';
import { givenServer, startPostgres, type PostgresServer } from './support/postgres.ts';
import { scratchFolder } from './support/scratch-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name: string): string => join(root, 'node_modules/.bin', name);

const usage = `npm test                          types, lint, format and every test
npm test -- FILE …                the tests of these files only
npm run test:long                 the tests that have more to do in a long run
npm run test:long -- FILE …       these files only
npm run test:postgres             every test of the server, on PostgreSQL
npm run test:postgres -- FILE …   these files only

  --project NAME   only the tests of this project: unit, postgres or e2e
  --shuffle        files and tests in random order, in another time zone
  --seed N         the order of this seed (means --shuffle)
  --repeat N       the tests N times, when shuffled by the seeds that follow
  --busy           beside a process that keeps a processor busy
`;

/** Shuffled runs use one of these, so that no test depends on the date in one place. */
const zones = ['UTC', 'Pacific/Auckland', 'America/St_Johns', 'Asia/Kolkata', 'Pacific/Honolulu'];

/** Keeps a processor busy until the parent process has ended, for any reason. */
const busyLoop = 'const { ppid } = process; while (process.ppid === ppid);';

interface Step {
  name: string;
  command: string;
  args: string[];
  env?: Record<string, string>;
  /** File for its test results. */
  report?: string;
  /** Output is printed at the end, because other steps run at the same time. */
  quiet?: boolean;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function run(step: Step): Promise<boolean> {
  const startedAt = performance.now();
  let output = '';
  const code = await new Promise<number>((resolve) => {
    const child = spawn(step.command, step.args, {
      cwd: root,
      stdio: step.quiet === true ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      env: { ...process.env, ...step.env },
      shell: process.platform === 'win32',
    });
    const keep = (chunk: Buffer): void => void (output += chunk.toString());
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.on('error', () => resolve(1));
    child.on('close', (status) => resolve(status ?? 1));
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  say(`${output}${code === 0 ? 'ok  ' : 'FAIL'}  ${step.name}  ${seconds} s\n`);
  return code === 0;
}

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

function countTests(reports: string[]): Counts {
  const total: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const report of reports) {
    try {
      const counts = JSON.parse(readFileSync(report, 'utf8')) as {
        numPassedTests: number;
        numFailedTests: number;
        numPendingTests: number;
      };
      total.passed += counts.numPassedTests;
      total.failed += counts.numFailedTests;
      total.skipped += counts.numPendingTests;
    } catch {
      total.failed += 1;
    }
  }
  return total;
}

/** The test files that do more in the long run. */
function filesOfLongRun(): string[] {
  return globSync('test/**/*.test.ts', { cwd: root }).filter((file) =>
    /long-run\.ts|axe\.ts/.test(readFileSync(join(root, file), 'utf8')),
  );
}

/** Files that keep every processor busy for a long time. Beside others they would take several times as long. */
const heavy = /\/(?:fleet|killed-browser|monkey|demo|soak)\.test\.ts$/;

/** The long run in parts that follow each other, so that each has the machine to itself and its result is known early. */
function partsOfLongRun(): { name: string; files: string[] }[] {
  const files = filesOfLongRun();
  const others = files.filter((file) => !heavy.test(file));
  const isInBrowser = (file: string): boolean => /^test\/(?:e2e|desktop\/renderer)\//.test(file);
  return [
    { name: 'tests without a browser', files: others.filter((file) => !isInBrowser(file)) },
    { name: 'screens', files: others.filter(isInBrowser) },
    ...files.filter((file) => heavy.test(file)).map((file) => ({ name: file, files: [file] })),
  ];
}

/** What part-11.md says and this run did not show. */
function claimsNotShown(rounds: readonly Step[]): string[] {
  const reports = rounds.flatMap(({ report }) =>
    report !== undefined && existsSync(report) ? [readFileSync(report, 'utf8')] : [],
  );
  return notShown(part11(), readReports(reports)).map((title) => `21 CFR Part 11, not shown: ${title}`);
}

/** Answers that no server of a whole run gave; see test/README.md, COVERAGE-1. */
function answersNotGiven(statuses: string): string[] {
  return missingAnswers(contract(), readStatuses(statuses)).map((answer) => `no test shows ${answer}`);
}

/** The test files of `npm run test:postgres`. */
function filesOnPostgres(): string[] {
  return globSync('test/sync-server/**/*.test.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !(file in filesOfSqlite))
    .toSorted();
}

interface Options {
  files: string[];
  project: string | undefined;
  long: boolean;
  /** On PostgreSQL. */
  postgres: boolean;
  busy: boolean;
  repeat: number;
  /** Seed of the first round; undefined: the usual order. */
  seed: number | undefined;
}

/** Parses the command line. Throws a sentence. */
function readOptions(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      project: { type: 'string' },
      shuffle: { type: 'boolean' },
      seed: { type: 'string' },
      repeat: { type: 'string' },
      busy: { type: 'boolean' },
      long: { type: 'boolean' },
      postgres: { type: 'boolean' },
    },
  });
  const number = (name: 'seed' | 'repeat'): number | undefined => {
    const value = values[name];
    if (value !== undefined && !/^\d{1,9}$/.test(value)) throw new Error(`--${name} takes a number.`);
    return value === undefined ? undefined : Number(value);
  };
  const chosen = number('seed');
  return {
    files: positionals,
    project: values.project,
    long: values.long === true,
    postgres: values.postgres === true,
    busy: values.busy === true,
    repeat: number('repeat') ?? 1,
    seed: chosen ?? (values.shuffle === true ? Date.now() % 1_000_000 : undefined),
  };
}

/** The name of the file in which a run on PostgreSQL notes what it left out. */
const leftOutName = 'left-out';

function projectsOf({ project, postgres }: Options): string[] {
  if (postgres) return ['--project', 'unit'];
  return project === undefined ? [] : ['--project', project];
}

/** One run of the tests: of all, or of the files of a part of the long run. */
function round(
  options: Options,
  number: number,
  scratch: string,
  statuses: string | null,
  part = { name: 'tests', files: options.files },
): Step {
  const report = join(scratch, `tests-${number}-${part.name.replaceAll(/\W+/g, '-')}.json`);
  const seed = options.seed === undefined ? undefined : options.seed + number;
  return {
    name: seed === undefined ? part.name : `${part.name}, --seed ${seed}`,
    command: bin('vitest'),
    args: [
      'run',
      '--config',
      'test/vitest.config.ts',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...projectsOf(options),
      ...part.files,
    ],
    env: {
      TMPDIR: scratch,
      ...(statuses === null ? {} : { BENCHBOOK_STATUSES: statuses }),
      ...(options.long ? { BENCHBOOK_LONG: '1' } : {}),
      ...(options.postgres
        ? { BENCHBOOK_TEST_DATABASE: 'postgres', [leftOutVariable]: join(scratch, leftOutName) }
        : {}),
      ...(seed === undefined
        ? {}
        : { BENCHBOOK_TEST_SEED: String(seed), TZ: zones[seed % zones.length] ?? 'UTC' }),
    },
    report,
  };
}

const format: Step = { name: 'format', command: bin('oxfmt'), args: ['--check', '.'], quiet: true };
const types: Step = { name: 'types', command: bin('tsc'), args: ['-p', '.'], quiet: true };
const lint: Step = {
  name: 'lint',
  command: bin('oxlint'),
  args: ['--type-aware', '--deny-warnings'],
  quiet: true,
};

/** Runs steps one after the other; returns the names of failed ones. */
async function inTurn(steps: readonly Step[]): Promise<string[]> {
  const failed: string[] = [];
  for (const step of steps) if (!(await run(step))) failed.push(step.name);
  return failed;
}

/** One PostgreSQL server for all tests of the run; undefined: the environment names one. */
async function sharedPostgres(): Promise<PostgresServer | undefined> {
  return process.env[givenServer] === undefined ? startPostgres() : undefined;
}

async function main(): Promise<number> {
  const options = readOptions();
  process.env['BENCHBOOK_BROWSER'] = ensureBrowser(say);
  await buildAppIfStale(root, say);
  const { long, postgres } = options;
  const isWhole = options.files.length === 0 && options.project === undefined && !long && !postgres;
  if (postgres && options.files.length === 0) options.files = filesOnPostgres();
  const scratch = scratchFolder();
  await using server = isWhole || long || postgres ? await sharedPostgres() : undefined;
  if (server !== undefined) process.env[givenServer] = server.url;
  const busy: ChildProcess | undefined = options.busy
    ? spawn(process.execPath, ['-e', busyLoop], { stdio: 'ignore' })
    : undefined;
  try {
    const statuses = isWhole ? join(scratch, 'statuses') : null;
    if (statuses !== null) mkdirSync(statuses);
    const parts = options.long && options.files.length === 0 ? partsOfLongRun() : [undefined];
    const rounds = Array.from({ length: options.repeat }, (_, number) =>
      parts.map((part) => round(options, number, scratch, statuses, part)),
    ).flat();
    const failed = [
      ...(isWhole ? await inTurn([format]) : []),
      ...(await Promise.all([inTurn(isWhole ? [types, lint] : []), inTurn(rounds)])).flat(),
    ];
    if (statuses !== null) failed.push(...claimsNotShown(rounds), ...answersNotGiven(statuses));
    const counts = countTests(rounds.flatMap(({ report }) => report ?? []));
    if (failed.length > 0) say(`Failed: ${failed.join(', ')}`);
    const noted = join(scratch, leftOutName);
    if (postgres) for (const line of leftOut(existsSync(noted) ? readFileSync(noted, 'utf8') : '')) say(line);
    say(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
    return failed.length === 0 ? 0 : 1;
  } finally {
    busy?.kill();
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (process.argv.includes('--help')) say(usage);
else process.exitCode = await main();
