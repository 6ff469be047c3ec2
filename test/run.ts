import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildAppIfStale } from '#server/bootstrap/build-app.ts';

import { ensureBrowser } from './support/browser.ts';
import { scratchFolder } from './support/scratch-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name: string): string => join(root, 'node_modules/.bin', name);
const scratch = scratchFolder();

interface Step {
  name: string;
  command: string;
  args: string[];
  report?: string;
}

const projects = (name: string): Step => {
  const report = join(scratch, `${name}.json`);
  return {
    name: `${name} tests`,
    command: bin('vitest'),
    args: [
      'run',
      '--config',
      'test/vitest.config.ts',
      '--project',
      name,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    report,
  };
};

const steps: Step[] = [
  { name: 'types', command: bin('tsc'), args: ['-p', '.'] },
  { name: 'lint', command: bin('oxlint'), args: ['--type-aware', '--deny-warnings'] },
  { name: 'format', command: bin('oxfmt'), args: ['--check', '.'] },
  projects('unit'),
  projects('e2e'),
];

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function run(step: Step): Promise<boolean> {
  const startedAt = performance.now();
  const code = await new Promise<number>((resolve) => {
    const child = spawn(step.command, step.args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, TMPDIR: scratch },
      shell: process.platform === 'win32',
    });
    child.on('error', () => resolve(1));
    child.on('exit', (status) => resolve(status ?? 1));
  });
  say(
    `${code === 0 ? 'ok  ' : 'FAIL'}  ${step.name}  ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`,
  );
  return code === 0;
}

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

function countTests(): Counts {
  const total: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { report } of steps) {
    if (report === undefined) continue;
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

async function main(): Promise<number> {
  process.env['BENCHBOOK_BROWSER'] = ensureBrowser(say);
  await buildAppIfStale(root, say);
  const failed: string[] = [];
  for (const step of steps) if (!(await run(step))) failed.push(step.name);
  const counts = countTests();
  rmSync(scratch, { recursive: true, force: true });
  if (failed.length > 0) say(`Failed: ${failed.join(', ')}`);
  say(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  return failed.length === 0 ? 0 : 1;
}

process.exit(await main());
