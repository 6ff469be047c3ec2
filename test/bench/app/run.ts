/**
 * `npm run bench:app`: opens the built app in Chromium with 5,000 guides on the device and no network, opens 100 guides,
 * goes to their next step, searches for 100 guides, and types 100 letters in the editor. Pictures of the guides are not
 * on the device. `--guides 300 --times 10` is a quick run.
 *
 * The floor of a screen: the browser paints a copy of the same elements, without the app. Targets (95th percentile):
 * 300 ms to open a guide, 100 ms for a step and for a result, 200 ms until a letter is saved.
 */
import { parseArgs } from 'node:util';

import type { Page } from 'playwright-core';

import { must } from '#shared/must.ts';
import { go, keptOffline, signIn, startWholeApp, status } from '#test/e2e/whole-app.ts';
import { Dice } from '#test/simulation/random.ts';

import { benchGuide, writeCorpus } from '../corpus.ts';
import { tableOf, type Figure } from '../table.ts';
import { paintedAfter, repaint, whenText } from './probe.ts';

const { values } = parseArgs({
  options: { guides: { type: 'string', default: '5000' }, times: { type: 'string', default: '100' } },
});
const guides = Number(values.guides);
const times = Number(values.times);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Durations of one kind of action, and of painting what it showed, ms. */
class Durations {
  readonly measured: number[] = [];
  readonly floor: number[] = [];

  figure(what: string, target: number): Figure {
    return {
      what: `${what} (p95)`,
      value: percentile(this.measured, 0.95),
      unit: 'ms',
      ...(this.floor.length === 0
        ? {}
        : { floor: { what: 'painting the same content', value: percentile(this.floor, 0.95) } }),
      note: `target ${target} ms; median ${percentile(this.measured, 0.5).toFixed(0)} ms`,
    };
  }
}

/** The smallest value that is not exceeded by this share of all. */
function percentile(all: readonly number[], share: number): number {
  const sorted = all.toSorted((a, b) => a - b);
  return must(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)], 'a duration');
}

/** Text of a step as the screen shows it. */
function lineOf(guide: ReturnType<typeof benchGuide>, step: number): string {
  return must(guide.steps[step]?.lines[0], 'a line').text_raw;
}

/** Opens guides, and goes through their first steps. */
async function read(page: Page, dice: Dice): Promise<{ open: Durations; step: Durations }> {
  const [open, step] = [new Durations(), new Durations()];
  for (let nth = 0; nth < times; nth += 1) {
    const guide = benchGuide(1 + dice.below(guides), 1);
    await go(page, '/');
    await page.getByRole('searchbox').waitFor();
    open.measured.push(
      await page.evaluate(paintedAfter, { address: `/guides/${guide.guideid}`, text: guide.summary }),
    );
    open.floor.push(await page.evaluate(repaint));
    await page.evaluate(paintedAfter, { key: 'ArrowRight', text: lineOf(guide, 0) });
    step.measured.push(await page.evaluate(paintedAfter, { key: 'ArrowRight', text: lineOf(guide, 1) }));
    step.floor.push(await page.evaluate(repaint));
  }
  return { open, step };
}

/** Searches for a guide by its title, from the last letter until it is the first result. */
async function search(page: Page, dice: Dice): Promise<Durations> {
  const found = new Durations();
  await go(page, '/');
  const field = page.getByRole('searchbox');
  for (let nth = 0; nth < times; nth += 1) {
    const { title } = benchGuide(1 + dice.below(guides), 1);
    await field.fill(title.slice(0, -1));
    const shown = page.evaluate(whenText, { event: 'input', text: title, within: 'main' });
    await field.press(title.slice(-1));
    found.measured.push(await shown);
  }
  return found;
}

/** Types letters in the editor, until each is saved on the device. */
async function write(page: Page, dice: Dice): Promise<Durations> {
  const saved = new Durations();
  await go(page, `/guides/${1 + dice.below(guides)}/edit`);
  const field = page.getByLabel('Summary');
  await field.click();
  const words = page.getByRole('status').filter({ hasText: 'Saved on this device' });
  for (let nth = 0; nth < times; nth += 1) {
    const shown = page.evaluate(whenText, {
      event: 'input',
      text: 'Saved on this device',
      within: '[role=status]',
    });
    await field.press('a');
    saved.measured.push(await shown);
    await words.waitFor();
  }
  return saved;
}

async function main(): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const { server, ada, openDevice } = await startWholeApp(resources);
  say(`Preparing ${guides} guides …`);
  await writeCorpus(server, guides, ada.userid);
  const device = await openDevice();
  const page = await device.context.newPage();
  page.setDefaultTimeout(600_000);
  await page.goto(device.wire.url);
  await signIn(page);
  await status(page, /^Synced/);
  await keptOffline(page);
  await device.goOffline();
  await status(page, /^Offline/);
  const dice = new Dice(1);
  say(`Reading ${times} guides …`);
  const { open, step } = await read(page, dice);
  say(`Searching for ${times} guides …`);
  const found = await search(page, dice);
  say(`Typing ${times} letters …`);
  const saved = await write(page, dice);
  const figures = [
    open.figure('Open a guide', 300),
    step.figure('Next step', 100),
    found.figure('Search, from the last letter to the result', 100),
    saved.figure('Type a letter in the editor, until it is saved', 200),
  ];
  say(`\n${tableOf(figures)}`);
}

await main();
