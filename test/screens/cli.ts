import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { openWorkbench, type Look, type Workbench } from '#test/desktop/renderer/app-page.ts';
import { buildPage } from '#test/desktop/renderer/page/build.ts';
import type { WorldOptions } from '#test/support/fixture-world.ts';
import { screenAddresses, screenStates } from '#test/support/screen-addresses.ts';

import { indexPage, type ScreenFiles } from './index-page.ts';

const out = join(import.meta.dirname, '../../artifacts/screens');

/** The looks in which every screen is drawn, by the name of their file. */
const looks: Readonly<Record<string, Look & { empty?: true }>> = {
  desktop: {},
  dark: { theme: 'dark' },
  bright: { theme: 'bright' },
  kiosk: { density: 'kiosk', width: 1280, height: 800, touch: true },
  phone: { density: 'touch', width: 390, height: 844, touch: true },
  german: { language: 'de' },
  empty: { empty: true },
  'empty phone': { empty: true, density: 'touch', width: 390, height: 844, touch: true },
};

const { values } = parseArgs({
  options: { only: { type: 'string' }, looks: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help === true) {
  process.stdout.write(
    `npm run screens -- [--only TEXT] [--looks ${Object.keys(looks).join(',')}]\n` +
      'Writes a picture of every screen in every look to artifacts/screens, with an index page.\n' +
      '--only: screens whose name or address contains the text.\n',
  );
} else {
  await drawAll(values.only ?? '', values.looks?.split(',') ?? Object.keys(looks));
}

async function drawAll(part: string, wanted: readonly string[]): Promise<void> {
  const unknown = wanted.filter((name) => !(name in looks));
  if (unknown.length > 0) throw new Error(`Unknown looks: ${unknown.join(', ')}`);
  const screens = [
    ...Object.entries(screenAddresses).map(([name, [path, world = {}]]) => ({ name, path, world })),
    ...screenStates.map(([name, path, world]) => ({ name, path, world })),
  ].filter(({ name, path }) => `${name} ${path}`.includes(part));
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const page = join(out, 'page');
  await buildPage(page);
  await using bench = await openWorkbench(page);
  const drawn: ScreenFiles[] = [];
  for (const screen of screens) {
    const files: Record<string, string> = {};
    for (const look of wanted) {
      const file = `${screen.name}, ${look}.png`.replaceAll(' ', '-').replaceAll(',', '');
      await draw(bench, screen, looks[look] ?? {}, join(out, file));
      files[look] = file;
    }
    drawn.push({ name: screen.name, path: screen.path, files });
    process.stdout.write(`${drawn.length} of ${screens.length}  ${screen.name}\n`);
  }
  await bench.browser.close();
  await rm(page, { recursive: true });
  await writeFile(join(out, 'index.html'), indexPage(wanted, drawn));
  process.stdout.write(`${join(out, 'index.html')}\n`);
}

async function draw(
  bench: Workbench,
  { path, world }: { path: string; world: WorldOptions },
  { empty, ...look }: Look & { empty?: true },
  file: string,
): Promise<void> {
  await using app = await bench.open(path, empty === true ? { ...world, empty } : world, look);
  await app.page.evaluate(() => document.fonts.ready);
  // A list that the server answers; a screen that waits for a person has none of these.
  await app.page.locator('main [role="status"][class*="loading"]').waitFor({ state: 'detached' });
  await app.page.screenshot({ path: file, animations: 'disabled' });
  if (app.errors.length > 0) throw new Error(`${path}: ${app.errors.join(', ')}`);
}
