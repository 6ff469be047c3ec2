import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, expect, test } from 'vitest';

import { plants } from '#test/demo/plant-list.ts';
import { isLongRun } from '#test/support/long-run.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const shots = mkdtempSync(join(tmpdir(), 'benchbook-shots-'));
afterAll(() => rmSync(shots, { recursive: true, force: true }));

function demo(...args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['test/demo/run.ts', '--shots', shots, ...args], { cwd: root });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    child.on('exit', (code) => resolve({ code, output }));
  });
}

test('the demo completes the main job and the work at a kiosk, and keeps every promise', async () => {
  const { code, output } = await demo();
  expect(output).toContain("Ben's screen and GET /guides/152 are equal, step for step");
  expect(output).toContain('Mira sees on the screen of the station what each of them recorded there');
  expect({ code, output }).toMatchObject({ code: 0 });
});

test.each(isLongRun ? ['--electron'] : [])(
  'the demo keeps every promise in the desktop app: %s',
  async (option) => {
    const { code, output } = await demo(option);
    expect({ code, output }).toMatchObject({ code: 0 });
  },
);

// Each takes as long as its scene. They mostly wait for screens, so two run at a time.
test.concurrent.each(isLongRun ? plants : [])(
  'the demo exits with 1 for the fault $name and names the broken promise',
  async (plant) => {
    const { code, output } = await demo('--fault', plant.name);
    expect(output).toContain(`Broken promise: ${plant.promise}`);
    expect(code).toBe(1);
  },
);
