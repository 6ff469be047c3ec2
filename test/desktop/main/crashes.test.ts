import { describe, expect, it } from 'vitest';

import { careForCrashes } from '#desktop/main/crashes.ts';
import type { MessageBoxOptions } from '#desktop/main/electron.ts';
import { journalHandlers } from '#desktop/main/journals.ts';
import { mainTexts } from '#desktop/main/text/en.ts';
import { soon } from '#test/support/soon.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { standInDialog, StandInWindow } from './electron-stand-in.ts';

/** A window on a guide, at a time that the test sets. `answers`: the buttons that the person presses. */
function care(answers: string[] = []) {
  const window = new StandInWindow({} as never);
  window.webContents.url = 'benchbook://app/guides/7#s12';
  const world = { now: 0, released: 0, asked: [] as MessageBoxOptions[], lines: [] as string[] };
  careForCrashes(window, {
    dialog: {
      ...standInDialog([]),
      showMessageBox: async (options) => {
        world.asked.push(options);
        const answer = answers.shift();
        if (answer !== undefined) return { response: options.buttons.indexOf(answer) };
        await new Promise((resolve) => options.signal?.addEventListener('abort', resolve));
        return { response: options.cancelId };
      },
    },
    texts: () => mainTexts,
    now: () => world.now,
    release: async () => {
      world.released += 1;
    },
    report: (line) => world.lines.push(line),
  });
  const crash = (reason = 'crashed'): void =>
    window.webContents.fire('render-process-gone', {}, { reason, exitCode: 5 });
  return { window, world, crash };
}

describe('a page whose process ended', () => {
  it.each(['crashed', 'killed', 'oom', 'abnormal-exit', 'launch-failed', 'integrity-failure'])(
    'ELECTRON-70 is shown again at its address: %s',
    async (reason) => {
      const { window, world, crash } = care();
      crash(reason);
      await soon(() => window.webContents.did).toEqual(['reload']);
      expect(world).toMatchObject({ released: 1, lines: [`render-process-gone: ${reason} (5)`] });
      expect(world.asked).toEqual([]);
    },
  );

  it('ELECTRON-70 is not shown again when it ended as intended, or when its window is closed', async () => {
    const { window, world, crash } = care();
    crash('clean-exit');
    window.destroyed = true;
    crash();
    await soon(() => world.released).toBe(1);
    expect([window.webContents.did, window.did, world.asked]).toEqual([[], [], []]);
  });

  it('ELECTRON-70 is loaded from the start when it had no address yet', async () => {
    const { window, crash } = care();
    window.webContents.url = '';
    crash();
    await soon(() => window.did).toEqual(['load benchbook://app/']);
  });

  it.each([
    [-3, []],
    [-6, [expect.stringContaining('crash: Error: load failed')]],
  ])(
    'ELECTRON-70 reports a load that failed, but not one that another replaced: %s',
    async (errno, lines) => {
      const { window, world, crash } = care();
      window.webContents.url = '';
      window.loadError = Object.assign(new Error('load failed'), { errno });
      crash();
      await soon(() => window.did).toEqual(['load benchbook://app/']);
      await new Promise((resolve) => setImmediate(resolve));
      expect(world.lines.slice(1)).toEqual(lines);
    },
  );

  it.each([
    ['Reload', ['reload', 'reload', 'reload'], []],
    ['Close', ['reload', 'reload'], ['destroy']],
  ])(
    'ELECTRON-71 is shown again after three crashes only if the person wants it: %s',
    async (answer, did, closed) => {
      const { window, world, crash } = care([answer]);
      for (const at of [0, 20_000, 59_000]) {
        world.now = at;
        crash();
      }
      await soon(() => [window.webContents.did, window.did]).toEqual([did, closed]);
      expect(world.asked).toMatchObject([
        { message: 'Benchbook’s window stopped', detail: 'Your work is kept.', buttons: ['Reload', 'Close'] },
      ]);
    },
  );

  it('ELECTRON-71 crashes that are a minute apart, or before an answer, do not count', async () => {
    const { window, world, crash } = care(['Reload']);
    for (const at of [0, 20_000, 60_000, 81_000]) {
      world.now = at;
      crash();
    }
    await soon(() => window.webContents.did).toHaveLength(4);
    expect(world.asked).toEqual([]);
    crash();
    await soon(() => window.webContents.did).toHaveLength(5);
    expect(world.asked).toHaveLength(1);
    crash();
    await soon(() => window.webContents.did).toHaveLength(6);
    expect(world.asked).toHaveLength(1);
  });
});

describe('a page that does not respond', () => {
  it('ELECTRON-72 is reloaded if the person wants it, which is no crash', async () => {
    const { window, world, crash } = care(['Reload', 'Reload', 'Reload']);
    for (const count of [1, 2, 3]) {
      window.fire('unresponsive');
      await soon(() => window.webContents.did.filter((one) => one === 'crash')).toHaveLength(count);
      crash('killed');
      await soon(() => window.webContents.did.filter((one) => one === 'reload')).toHaveLength(count);
    }
    expect(world.asked).toHaveLength(3);
    expect(world.asked[0]).toMatchObject({ buttons: ['Wait', 'Reload'] });
  });

  it('ELECTRON-72 is left alone if the person waits', async () => {
    const { window, world } = care(['Wait']);
    window.fire('unresponsive');
    await soon(() => world.asked).toHaveLength(1);
    expect(window.webContents.did).toEqual([]);
  });

  it.each(['responsive', 'crash'])('ELECTRON-72 the question ends when it is over: %s', async (end) => {
    const { window, world, crash } = care();
    window.fire('unresponsive');
    await soon(() => world.asked).toHaveLength(1);
    if (end === 'crash') crash();
    else window.fire('responsive');
    expect(world.asked[0]?.signal?.aborted).toBe(true);
  });
});

it('ELECTRON-70 a journal that two pages open at once belongs to the later page', async () => {
  await using folder = await temporaryFolder('journals');
  const journals = journalHandlers(folder.path, standInDialog([]));
  const [ended, shown] = await Promise.all([journals.journalOpen('ada'), journals.journalOpen('ada')]);
  await expect(journals.journalList(ended)).rejects.toThrow('opened by another page');
  expect(await journals.journalList(shown)).toEqual([]);
  await journals.closeAll();
  await expect(journals.journalList(shown)).rejects.toThrow('opened by another page');
});
