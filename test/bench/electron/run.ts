/**
 * `npm run bench:electron`: starts the packaged app with 5,000 guides, cold, beside an empty window of the same Electron
 * (README.md of test/bench). Linux only.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { chromium, type Page } from 'playwright-core';

import { must } from '#shared/must.ts';
import {
  debuggingAddress,
  packageDesktop,
  type Packages,
  type Started,
} from '#test/electron/support/packaged-app.ts';
import { signInAt } from '#test/electron/support/sign-in.ts';
import { startServer } from '#test/support/server.ts';

import { writeCorpus } from '../corpus.ts';
import { median } from '../table.ts';
import { answerOfPage } from './page-probe.ts';
import { memoryOf } from './processes.ts';

const { values } = parseArgs({
  options: { guides: { type: 'string', default: '5000' }, rounds: { type: 'string', default: '7' } },
});
const guides = Number(values.guides);
const rounds = Number(values.rounds);
/** Memory is read after this time without any work, ms: a program that has just started still grows. */
const settleMs = 5000;
const email = 'reader@example.com';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The figures of one start. */
interface Start {
  /** From the start of the program until the window shows its content. */
  ms: number;
  /** Of all its processes. */
  bytes: number;
}

/** The time of the first paint, UNIX ms; null before. */
const emptyShownAt = `(() => {
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  return paint === undefined ? null : performance.timeOrigin + paint.startTime;
})()`;

/**
 * The time, UNIX ms, when the list is usable: the number of guides and the first of them are on the screen; null before.
 * Never too early: it is asked from outside.
 */
const listShownAt = `(() => {
  const main = document.querySelector('main');
  const number = main?.innerText.replaceAll(/[,\\s]/g, '') ?? '';
  const isComplete =
    number.includes('${guides}guides') && (main?.querySelectorAll('a[href^="/guides/"]').length ?? 0) > 5;
  return isComplete ? performance.timeOrigin + performance.now() : null;
})()`;

/** Empties the page cache of the system, which only root may do. Returns whether it did. */
function dropCaches(): boolean {
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '3');
    return true;
  } catch {
    return false;
  }
}

/** Starts a program, waits for its content, and ends it. */
async function measure(start: () => Started, shownAt: string): Promise<Start> {
  dropCaches();
  const began = performance.timeOrigin + performance.now();
  const started = start();
  try {
    const ms = (await answerOfPage(await debuggingAddress(started), shownAt)) - began;
    await sleep(settleMs);
    return { ms, bytes: memoryOf(started.process.pid ?? 0) };
  } finally {
    started.process.kill('SIGTERM');
    await started.ended;
  }
}

/** The page of a program's window. */
async function pageOf(started: Started): Promise<Page> {
  const browser = await chromium.connectOverCDP(await debuggingAddress(started), { timeout: 0 });
  const context = must(browser.contexts()[0], 'the context of the windows');
  const page = context.pages()[0] ?? (await context.waitForEvent('page', { timeout: 0 }));
  page.setDefaultTimeout(0);
  return page;
}

/** Signs in and waits until all guides are on the device. */
async function fill(packages: Packages, userData: string, server: string): Promise<void> {
  const args = ['--keep-key-in-file', '--remote-debugging-port=0'];
  const started = packages.start(packages.program, { userData, args });
  try {
    const page = await pageOf(started);
    await signInAt(page, server, email);
    await answerOfPage(await debuggingAddress(started), listShownAt);
    // What the app does with a new library, a user's app has long done.
    await sleep(settleMs);
  } finally {
    started.process.kill('SIGTERM');
    await started.ended;
  }
}

async function main(): Promise<number> {
  const packages = await packageDesktop();
  if ('missing' in packages) {
    process.stderr.write(`The desktop app cannot be measured: ${packages.missing}.\n`);
    return 1;
  }
  await using _packages = packages;
  await using server = await startServer();
  const author = await server.person('Author');
  await server.person('Reader');
  say(`Preparing ${guides} guides …`);
  await writeCorpus(server, guides, author.userid);
  const userData = packages.writable('reader');
  await fill(packages, userData, server.url);
  const options = (folder: string, ...args: string[]) => ({
    userData: folder,
    args: [...args, '--remote-debugging-port=0'],
  });
  const empty = (): Started =>
    packages.start(
      packages.electron.path,
      options(packages.writable('empty'), join(import.meta.dirname, 'empty-window.cjs')),
    );
  const app = (): Started => packages.start(packages.program, options(userData, '--keep-key-in-file'));
  const found: { app: Start[]; empty: Start[] } = { app: [], empty: [] };
  for (let round = 1; round <= rounds; round += 1) {
    found.empty.push(await measure(empty, emptyShownAt));
    found.app.push(await measure(app, listShownAt));
    const [floor, own] = [found.empty.at(-1), found.app.at(-1)];
    say(`round ${round}: app ${own?.ms.toFixed(0)} ms, empty window ${floor?.ms.toFixed(0)} ms`);
  }
  const middle = (starts: Start[], of: (start: Start) => number): number => median(starts.map(of));
  const [ms, floorMs] = [middle(found.app, (one) => one.ms), middle(found.empty, (one) => one.ms)];
  const [bytes, floorBytes] = [
    middle(found.app, (one) => one.bytes),
    middle(found.empty, (one) => one.bytes),
  ];
  const cold = dropCaches()
    ? 'cold (the page cache is emptied)'
    : 'warm (only root can empty the page cache)';
  say(`\nElectron ${packages.electron.version}, ${guides} guides, medians of ${rounds} starts, ${cold}`);
  say('|                              | app | empty window | ratio | target |');
  say('| ---------------------------- | --: | -----------: | ----: | -----: |');
  say(
    `| Start to a usable list       | ${ms.toFixed(0)} ms | ${floorMs.toFixed(0)} ms | ${(ms / floorMs).toFixed(2)} | 2.5 |`,
  );
  say(
    `| Memory of all processes, Pss | ${(bytes / 1e6).toFixed(0)} MB | ${(floorBytes / 1e6).toFixed(0)} MB | ${(bytes / floorBytes).toFixed(2)} | |`,
  );
  return 0;
}

process.exitCode = await main();
