import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Endpoint } from '#shared/api/endpoint.ts';
import { resources } from '#server/features/index.ts';
import type { Evidence } from '#test/support/api-evidence.ts';

import { Evidences, isComplete, judge, type Verdict } from './judge.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs the tests of the server and returns what their answers show, in the order in which they were given. */
function collect(): { evidence: Evidence[]; passed: boolean } {
  const folder = mkdtempSync(join(tmpdir(), 'benchbook-evidence-'));
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [
    'run',
    '--config',
    'test/vitest.config.ts',
    '--project',
    'unit',
    '--reporter=dot',
    'test/sync-server',
  ];
  const { status } = spawnSync(process.execPath, [vitest, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, BENCHBOOK_EVIDENCE: folder },
  });
  const evidence = readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Evidence),
  );
  rmSync(folder, { recursive: true, force: true });
  return { evidence, passed: status === 0 };
}

function endpointFor(route: string): Endpoint | undefined {
  const [method = '', path = ''] = route.split(' ');
  const all = resources.flatMap(({ table }) => Object.values(table)).filter((one) => one.method === method);
  const pattern = (one: Endpoint): RegExp => new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  // A path of words goes before one whose parameter would take them.
  const fitting = all.filter((one) => pattern(one).test(path));
  return fitting.find((one) => one.path === path) ?? fitting.at(0);
}

function lineOf(verdict: Verdict): string {
  const refusals = verdict.refusals
    .map(({ status, shown }) => (shown ? `${status}` : `${status} missing`))
    .join(', ');
  const readBack = verdict.readBack === null ? 'not read back' : `read back: ${verdict.readBack}`;
  const served = verdict.served ? `served  ${readBack}  refusals: ${refusals}` : 'not served';
  return `${isComplete(verdict) ? 'ok     ' : 'MISSING'}  ${verdict.method.padEnd(6)} ${verdict.path.padEnd(52)} ${served}`;
}

function main(): number {
  const { routes } = JSON.parse(readFileSync(join(root, 'test/fixtures/api-2.0-routes.json'), 'utf8')) as {
    routes: string[];
  };
  const { evidence, passed } = collect();
  const evidences = new Evidences(evidence);
  const verdicts = routes.map((route) => judge(route, endpointFor(route), evidences));
  for (const verdict of verdicts) say(lineOf(verdict));
  const complete = verdicts.filter(isComplete);
  const missing = verdicts.length - complete.length;
  say(`\n${complete.length} of ${verdicts.length} routes are complete; ${missing} are not.`);
  if (!passed) say('The tests of the server did not pass, so that what they show does not count.');
  return complete.length === verdicts.length && passed ? 0 : 1;
}

process.exit(main());
