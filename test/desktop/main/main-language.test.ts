import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { menuTemplate } from '#desktop/main/menu.ts';
import type { MenuItem } from '#desktop/main/electron.ts';
import { SignInReturn } from '#desktop/main/sign-in-return.ts';
import { german } from '#desktop/main/text/de.ts';
import { mainTexts } from '#desktop/main/text/en.ts';
import { MainLanguage } from '#desktop/main/text/main-language.ts';
import { must } from '#shared/must.ts';
import { soon } from '#test/support/soon.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { informal, missingGerman, otherValues, pairsOf } from '#test/support/translation-flaws.ts';

import { ourPage, standInElectron } from './electron-stand-in.ts';
import { keepListeners } from './keep-listeners.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder('main-language');
});
afterEach(() => folder[Symbol.asyncDispose]());

function languageOn(system: readonly string[], changed: () => void = () => undefined) {
  const file = join(folder.path, 'language.json');
  return new MainLanguage({ file, system: () => system, changed, report: () => undefined });
}

/** The labels of a menu and of its submenus. */
function labelsOf(items: readonly MenuItem[]): string[] {
  return items.flatMap(({ label, submenu = [] }) => [
    ...(label === undefined ? [] : [label]),
    ...labelsOf(submenu),
  ]);
}

describe('LANGUAGE-7 the program speaks the language of its page', () => {
  test('and before it that of the last one, and before the first that of the system', async () => {
    expect(languageOn(['fr-CH', 'de-CH', 'en']).language).toBe('de');
    expect(languageOn(['den', 'it']).language).toBe('en');
    const changes: string[] = [];
    const first = languageOn(['en-GB'], () => changes.push('changed'));
    await first.handlers.useLanguage('en');
    await first.handlers.useLanguage('de');
    await first.handlers.useLanguage('de');
    expect([first.texts.crash.wait, changes]).toEqual(['Warten', ['changed']]);
    expect(languageOn(['en-GB']).language).toBe('de');
    await writeFile(join(folder.path, 'language.json'), '{"language":"fr"}');
    expect(languageOn(['en-GB']).language).toBe('en');
  });

  test('also where the file cannot be written', async () => {
    const file = join(folder.path, 'missing', 'language.json');
    const lines: string[] = [];
    const language = new MainLanguage({
      file,
      system: () => [],
      changed: () => undefined,
      report: (line) => lines.push(line),
    });
    await language.handlers.useLanguage('de');
    expect(language.texts.crash.wait).toBe('Warten');
    expect(lines).toEqual([expect.stringContaining('ENOENT')]);
  });

  test('in its menu, on each system', () => {
    const language = languageOn(['de']);
    for (const platform of ['linux', 'darwin'] as const) {
      const english = labelsOf(menuTemplate(mainTexts, platform));
      const own = labelsOf(menuTemplate(language.texts, platform));
      const same = own.filter((label, at) => label === english[at]);
      expect([platform, own.length, same]).toEqual([
        platform,
        english.length,
        platform === 'darwin' ? ['Benchbook'] : [],
      ]);
    }
  });

  test('in the page after a sign-in', async () => {
    const { handlers } = new SignInReturn(() => undefined, languageOn(['de']));
    const url = await handlers.signInListen();
    const page = await (await fetch(`${url}?code=${'c'.repeat(43)}`)).text();
    expect(page).toContain('<html lang="de">');
    expect(page).toContain('Kehren Sie zu Benchbook zurück');
  });
});

describe('LANGUAGE-7 the running program', () => {
  let electron: ReturnType<typeof standInElectron>;
  let removeListeners: () => void;
  beforeEach(() => {
    removeListeners = keepListeners();
    electron = standInElectron(folder.path);
    electron.app.systemLanguages = ['de-DE'];
    vi.resetModules();
    vi.doMock('electron', () => electron);
  });
  afterEach(() => {
    removeListeners();
    vi.restoreAllMocks();
    vi.doUnmock('electron');
  });

  test('says in German why it does not start', async () => {
    const many = Array<string>(1000).fill(`/${'x'.repeat(30)}.zip`);
    vi.spyOn(process, 'argv', 'get').mockReturnValue(many);
    await import('#desktop/main/main.ts');
    electron.app.ready.resolve();
    await soon(() => electron.app.did).toContain('exit 1');
    expect(electron.dialog.errors).toEqual(['Benchbook kann nicht so viele Dateien auf einmal öffnen']);
  });

  test('has a German menu, and an English one as soon as the page is English', async () => {
    await import('#desktop/main/main.ts');
    electron.app.ready.resolve();
    await soon(() => electron.windows.length).toBe(1);
    expect(labelsOf(electron.menus.at(-1) ?? [])).toContain('Bearbeiten');
    const answer = must(electron.handled.get('benchbook'), 'a handler');

    expect(await answer(ourPage, 'useLanguage', ['en'])).toMatchObject({ ok: true });
    expect(labelsOf(electron.menus.at(-1) ?? [])).toContain('Edit');
  });
});

test('LANGUAGE-2 every text of the main process has a German one', () => {
  const pairs = pairsOf('main', mainTexts, german);
  expect([missingGerman(pairs), otherValues(pairs), informal(pairs)]).toEqual([[], [], []]);
  expect(pairs.length).toBeGreaterThan(50);
});
