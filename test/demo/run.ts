import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { build } from 'vite';

import { rendererConfig } from '#desktop/build/build.ts';
import { buildAppIfStale } from '#server/bootstrap/build-app.ts';
import { prepareDesktop } from '#test/electron/support/desktop-app.ts';
import { ensureBrowser } from '#test/support/browser.ts';
import { startServerProcess } from '#test/support/server-process.ts';

import { browserWindows, desktopWindows } from './app-window.ts';
import { plants } from './plant-list.ts';
import { plantIntoApp } from './plant-app.ts';
import { isScene, play, scenes } from './play.ts';
import { Report } from './report.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Plays the demo and prints it. Exit code 0: every promise held; 1: one did not, and is named. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      watch: { type: 'boolean' },
      electron: { type: 'boolean' },
      fault: { type: 'string' },
      scene: { type: 'string' },
      shots: { type: 'string' },
    },
  });
  const plant = values.fault === undefined ? undefined : plants.find((one) => one.name === values.fault);
  if (values.fault !== undefined && plant === undefined) {
    process.stderr.write(
      `There is no fault "${values.fault}"; there are ${plants.map((one) => one.name).join(', ')}.\n`,
    );
    return 1;
  }
  const scene = values.scene ?? plant?.scene;
  if (scene !== undefined && !isScene(scene)) {
    process.stderr.write(`There is no scene "${scene}"; there are ${Object.keys(scenes).join(' and ')}.\n`);
    return 1;
  }
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  process.env['BENCHBOOK_BROWSER'] = ensureBrowser(say);
  await buildAppIfStale(root, say);
  const shots = values.shots ?? join(root, 'artifacts/demo');
  mkdirSync(shots, { recursive: true });
  const report = new Report();
  const scratch = mkdtempSync(join(tmpdir(), 'benchbook-demo-app-'));
  try {
    const plugins = plant?.where === 'app' ? plantIntoApp(plant) : [];
    if (plugins.length > 0) await build(rendererConfig(join(scratch, 'renderer'), plugins));
    const found = values.electron === true ? await prepareDesktop({ plugins }) : null;
    if (found !== null && 'missing' in found) {
      process.stderr.write(`The demo cannot run in Electron: ${found.missing}.\n`);
      return 1;
    }
    await using desktop = found;
    await using server = await startServerProcess({
      ...(plant?.where === 'server'
        ? {
            imports: [new URL('plant-server.ts', import.meta.url).href],
            env: { BENCHBOOK_DEMO_FAULT: plant.name },
          }
        : {}),
      ...(plant?.where === 'app' ? { env: { BENCHBOOK_APP: join(scratch, 'renderer') } } : {}),
    });
    const open = desktop === null ? browserWindows(values.watch === true) : desktopWindows(desktop);
    await play({ server, report, shots, open }, scene);
    return 0;
  } catch (error) {
    process.stdout.write(`\nBroken promise: ${report.broken(error).message}\n`);
    return 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

process.exitCode = await main();
