import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { BadSetting, readConfig, usage } from '#server/platform/config.ts';
import { startServer } from '#server/main.ts';
import { keepNewFilesPrivate } from '#server/storage/private-folder.ts';

import { buildAppIfStale } from './bootstrap/build-app.ts';
import { watchMemory } from './bootstrap/memory.ts';
import { openWindow, type Window } from './bootstrap/window.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Folder of another build of the app; then nothing is built. */
const givenApp = process.env['BENCHBOOK_APP'];
const appDir = givenApp ?? `${root}desktop/out/renderer`;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  const config = readConfig(process.argv.slice(2), process.env);
  if (config === null) return void process.stdout.write(usage);
  if (givenApp === undefined) await buildAppIfStale(root, say);
  keepNewFilesPrivate();
  watchMemory();
  const running = await startServer(config, { ...(existsSync(appDir) ? { appDir } : {}), say, failed: fail });
  let window: Window | undefined;
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    window?.close();
    await running.stop();
    say(running.auditEnd());
    say('Stopped.');
    process.exit(0);
  };
  process.on('SIGINT', () => void stop());
  process.on('SIGTERM', () => void stop());
  // The signal handlers are installed first, because a program that waits for this line may stop the server
  // immediately.
  say(`Benchbook is ready at ${running.url}`);
  say(`Data: ${config.data}`);
  say(`Training modules: ${running.modules}`);
  say(running.auditEnd());
  if (config.open) window = openWindow(root, running.url, say);
}

function fail(error: unknown): void {
  if (!(error instanceof BadSetting)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

await main().catch(fail);
