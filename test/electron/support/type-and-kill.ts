import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Locator, Page } from 'playwright-core';

import { must } from '#shared/must.ts';
import { go, startOrder } from '#test/e2e/whole-app.ts';
import { Dice } from '#test/simulation/random.ts';
import { killBrowser } from '#test/support/browser.ts';
import type { TestPerson, TestServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';
import { makeGuide, seenBy, stepAt } from '#test/support/workshop.ts';

import { answerMessageBoxes, attachPage, killOne, type AttachedPage } from './attached-page.ts';
import type { Desktop, DesktopApp } from './desktop-app.ts';
import { Ledger, shownBy } from './saved-work.ts';
import { editorPath, signInAt } from './sign-in.ts';

/** What is killed, with the type in the metrics of Electron. */
const kinds = ['main', 'Tab', 'GPU', 'Utility'] as const;
export type Kind = (typeof kinds)[number];

/** Maximum time from the first key to the kill, ms. */
const longestLife = 4000;

/** A field in which a person works. */
interface Workplace {
  name: string;
  label: string;
  /** The address in the app. */
  path: string;
  ledger: Ledger;
}

export interface KillPlan {
  seed: number;
  kills: number;
}

/**
 * How often each was killed, how often the program ended although only a helper was killed, and how often another text
 * was called saved.
 */
export type Kills = Record<Kind | 'ended by itself' | 'savings', number>;

/**
 * A person types in the editor and records values in a work order, and processes of the app are killed at random
 * instants.
 * @throws when the app does not come back, or not at the same step, or without a text that it called saved
 */
export async function typeAndKill(desktop: Desktop, server: TestServer, plan: KillPlan): Promise<Kills> {
  const ada = await server.person('Ada');
  const userData = desktop.userData();
  const dice = new Dice(plan.seed);
  const counts: Kills = { main: 0, Tab: 0, GPU: 0, Utility: 0, 'ended by itself': 0, savings: 0 };
  /** All kinds in random order, again and again. */
  const next: Kind[] = [];
  let running = await open(desktop, userData);
  let where = 'at the start';
  try {
    await signInAt(running.page, server.url);
    const places = await startWork(server, ada, running.page);
    let shown: Workplace | null = null;
    for (let kill = 1; kill <= plan.kills; kill += 1) {
      const place = dice.one(places);
      if (next.length === 0) next.push(...kinds);
      const kind = must(next.splice(dice.below(next.length), 1)[0], 'a kind');
      where = `kill ${kill} (${kind}, ${place.name})`;
      if (shown !== place) await go(running.page, place.path);
      shown = place;
      await check(running.page, place);
      // The program may be killed before it has noted the page.
      await soon(() => readFileSync(join(userData, 'window-places.json'), 'utf8')).toContain(place.path);
      const isEnded = await typeUntilKilled(running, place, kind, kill, dice);
      counts[kind] += 1;
      if (kind !== 'main' && isEnded) counts['ended by itself'] += 1;
      if (isEnded) {
        killBrowser(userData);
        running = await open(desktop, userData);
      } else if (kind === 'Tab') {
        running = { ...running, ...(await attachPage(running.app, userData)) };
      }
      const { page } = running;
      if (!page.url().endsWith(place.path)) throw new Error(`The app shows ${page.url()}`);
      await check(page, place);
      if (kind === 'GPU') await page.screenshot();
    }
    where = 'at the end';
    for (const place of places) {
      await go(running.page, place.path);
      await check(running.page, place);
    }
    counts.savings = places.reduce((sum, { ledger }) => sum + ledger.savings, 0);
    await finish(running.page, places, server, ada);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Seed ${plan.seed}, ${where}: ${reason}\n${running.app.errors()}`, { cause: error });
  } finally {
    killBrowser(userData);
  }
  return counts;
}

interface Running {
  app: DesktopApp;
  program: ChildProcess;
  page: Page;
  ended: Promise<unknown>;
}

async function open(desktop: Desktop, userData: string): Promise<Running> {
  const app = await desktop.launch(userData, ['--keep-key-in-file']);
  await answerMessageBoxes(app, 0);
  const { page }: AttachedPage = await attachPage(app, userData);
  const program = app.app.process();
  return { app, program, page, ended: once(program, 'exit') };
}

/** Starts a work order and a draft. */
async function startWork(server: TestServer, ada: TestPerson, page: Page): Promise<[Workplace, Workplace]> {
  const measured = await makeGuide(ada);
  await ada.call('POST', `/step_forms/${stepAt(measured, 0)}`, {
    fields: [{ field_type: 'Text Input', label: 'Serial number' }],
  });
  const edited = await makeGuide(ada);
  await page.getByText('Belt').nth(1).waitFor();
  await go(page, `/guides/${measured.guideid}`);
  await startOrder(page, 'WO-1');
  await page.getByLabel('Serial number').waitFor();
  const order = new URL(page.url());
  return [
    {
      name: 'editor',
      label: 'Step title',
      path: await editorPath(server, ada, edited),
      ledger: new Ledger('Close'),
    },
    {
      name: 'work order',
      label: 'Serial number',
      path: `${order.pathname}${order.hash}`,
      ledger: new Ledger(''),
    },
  ];
}

/** @throws when the field never shows the saved text or a later one */
async function check(page: Page, { label, ledger }: Workplace): Promise<void> {
  await page.getByLabel(label).waitFor();
  let text = '';
  const isThere = async (): Promise<boolean> => {
    ({ text } = await shownBy(page, label));
    return ledger.accepts(text);
  };
  try {
    await soon(isThere).toBe(true);
  } catch (cause) {
    throw new Error(`Lost: "${ledger.saved}" was called saved, and "${text}" is there`, { cause });
  }
  ledger.continueWith(text);
}

/** Types until the kill, or to the end if the page survives it. Returns whether the program has ended. */
async function typeUntilKilled(
  { app, program, page, ended }: Running,
  { label, ledger }: Workplace,
  kind: Kind,
  kill: number,
  dice: Dice,
): Promise<boolean> {
  const field = page.getByLabel(label);
  // No prefix of it was in the field in an earlier round.
  const words = `${String.fromCodePoint(0x100 + kill)} ${dice.times(60, () => dice.below(36).toString(36)).join('')}`;
  ledger.types(words);
  const ends = endsIn(app);
  const over = ended.then(() => 'over' as const);
  const crashed = new Promise<'over'>((resolve) => void page.once('crash', () => resolve('over')));
  const typing = typeInBursts(field, words, new Dice(dice.below(2 ** 31))).catch(() => undefined);
  const death = sleep(dice.below(longestLife)).then(() => end(app, program, kind));
  let isKilled = false;
  void death.then(() => (isKilled = true));
  const survives = kind === 'GPU' || kind === 'Utility';
  for (;;) {
    const shown = await Promise.race([shownBy(page, label).catch(() => 'over' as const), over, crashed]);
    if (shown === 'over') break;
    ledger.note(shown);
    if (survives && isKilled && shown.isSaved && shown.text === words) break;
  }
  await death;
  if (kind === 'main') await ended;
  const isEnded = program.exitCode !== null || program.signalCode !== null;
  if (!isEnded) await soon(() => endsIn(app)).toBeGreaterThan(ends);
  if (isEnded || kind === 'Tab') await page.context().browser()?.close();
  await typing;
  return isEnded;
}

/** People pause, and only then the screen says that everything is saved. */
async function typeInBursts(field: Locator, words: string, dice: Dice): Promise<void> {
  await field.fill('');
  for (let at = 0; at < words.length;) {
    const end = at + 1 + dice.below(12);
    await field.pressSequentially(words.slice(at, end), { delay: dice.below(20) });
    await sleep(dice.below(500));
    at = end;
  }
}

/** How many ends of processes the program reported. */
function endsIn(app: DesktopApp): number {
  return app.errors().match(/^(render-process|child-process)-gone: /gm)?.length ?? 0;
}

/** Kills the whole program, or one process of this kind. */
async function end(app: DesktopApp, program: ChildProcess, kind: Kind): Promise<void> {
  if (kind !== 'main') return killOne(app, kind);
  // The program leads the group of its processes.
  process.kill(-must(program.pid, 'a running program'), 'SIGKILL');
}

/** Saves the draft to the server, and waits for all texts there. */
async function finish(
  page: Page,
  [editor, order]: [Workplace, Workplace],
  server: TestServer,
  ada: TestPerson,
): Promise<void> {
  await go(page, editor.path);
  await page.getByRole('button', { name: 'Save to the server' }).click();
  const onServer = async (): Promise<string> =>
    JSON.stringify([await seenBy(server, ada, 'guides'), await seenBy(server, ada, 'workLog')]);
  for (const { ledger } of [editor, order]) await soon(onServer).toContain(JSON.stringify(ledger.saved));
}
