import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ipcCalls } from '#desktop/ipc.ts';
import { isLongRun } from '#test/support/long-run.ts';

import { sendOddMessages } from './support/odd-messages.ts';
import { desktopForTests } from './support/desktop-for-tests.ts';
import type { Flip } from './support/flip.ts';

const messages = isLongRun ? 100_000 : 5000;
const batch = 250;
const seed = Number(process.env['BENCHBOOK_TEST_SEED'] ?? 20_261);

/** Answers of the table: everything else is a fault of the main process. */
const kinds = [
  'ok',
  'uncloneable',
  'refused',
  'invalid',
  'no-space',
  'sync-failed',
  'private-network',
  'unavailable',
  'timeout',
];

/** Growth of the memory between the second quarter and the end that counts as unbounded, bytes. */
const mostGrowth = 96 * 1024 * 1024;

const { prepared } = desktopForTests('odd messages');

/** Files beside the folder of user data, where the app could write, with their sizes. */
function filesBeside(userData: string): string[] {
  const parent = dirname(userData);
  return readdirSync(parent, { recursive: true, encoding: 'utf8' })
    .filter((name) => !join(parent, name).startsWith(userData))
    .map((name) => `${name} ${statSync(join(parent, name), { throwIfNoEntry: false })?.size}`)
    .toSorted();
}

/** Sends the messages to an app, and returns which laws it broke. */
async function broken(count: number, flips: Flip[] = [], names = Object.keys(ipcCalls)): Promise<string[]> {
  const userData = join(prepared().userData(), 'profile');
  await using launched = await prepared().launch(userData, ['--password-store=basic'], { flips });
  const { app, page, errors } = launched;
  await page.getByRole('heading', { level: 1 }).waitFor();
  // Nobody is there to answer a dialog.
  await app.evaluate(({ dialog }) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: true, filePaths: [] });
    dialog.showSaveDialog = () => Promise.resolve({ canceled: true, filePath: '' });
    dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false });
  });
  const before = filesBeside(userData);
  const memory = (): Promise<number> => app.evaluate(() => process.memoryUsage.rss());
  const found = new Set<string>();
  let settled = 0;
  for (let at = 0; at < count; at += batch) {
    const answers = await page.evaluate(sendOddMessages, {
      seed: seed + at,
      count: batch,
      names,
      outside: join(dirname(userData), 'escaped'),
    });
    for (const kind of answers) if (!kinds.includes(kind)) found.add(`an answer: ${kind}`);
    if (settled === 0 && at >= count / 4) settled = await memory();
  }
  const grown = (await memory()) - settled;
  if (grown > mostGrowth) found.add(`the memory grew by ${Math.round(grown / 2 ** 20)} MiB`);
  for (const [word] of errors().matchAll(/Unhandled|Uncaught|(?:Type|Range|Reference|Syntax)Error/g))
    found.add(`on the error output: ${word}`);
  if (filesBeside(userData).join('\n') !== before.join('\n')) found.add('a file outside of the user data');
  const alive = await page.evaluate(() => window.benchbook?.call('appInfo', []));
  if ((alive as { ok?: boolean } | undefined)?.ok !== true) found.add('the main process does not answer');
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  return [...found];
}

describe('odd messages from the page', () => {
  it(`ELECTRON-56 the main process withstands odd messages; seed ${seed}`, async () => {
    process.stderr.write(`odd messages: ${messages}, seed ${seed}\n`);
    expect(await broken(messages)).toEqual([]);
  });

  it.each([
    [
      'a name that is a path',
      { from: '/^[a-z0-9][a-z0-9-]{0,79}$/', to: '/^[^]{1,80}$/' },
      'a file outside of the user data',
    ],
    [
      'a handler that throws',
      { from: 'this.#report(name, error);', to: 'throw error;' },
      'an answer: thrown',
    ],
  ])('ELECTRON-56 the check notices %s', async (_fault, change, expected) => {
    const flips: Flip[] = [{ file: 'main/main.cjs', ...change }];
    const found = await broken(2 * batch, flips, ['journalOpen', 'journalWrite', 'appInfo']);
    expect(found.join(', ')).toContain(expected);
  });
});
