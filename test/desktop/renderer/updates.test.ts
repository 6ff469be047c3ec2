import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { UpdateStatus } from '#shared/model/update-state.ts';
import { text } from '#desktop/renderer/text/en.ts';
import type { WorldOptions } from '#test/support/fixture-world.ts';

import { looks, offences } from './axe.ts';
import { type AppPage, openWorkbench, type Workbench } from './app-page.ts';

declare global {
  interface Window {
    /** The state that the stand-in of the main process returns, and the calls that it got. */
    updateStandIn: { number: number; status: unknown; calls: [string, unknown[]][]; changed: () => void };
  }
}

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const offered = { version: '0.2.0', notes: 'Repairs of the clock.' };
const stored = { ...offered, lookFailed: null };

/** Opens Settings above a stand-in of the main process. */
async function open(first: UpdateStatus, options: WorldOptions = {}): Promise<AppPage> {
  const app = await bench.open('/settings', options);
  await app.page.addInitScript((status) => {
    const standIn = {
      number: 1,
      status,
      calls: [] as [string, unknown[]][],
      changed: () => undefined as void,
    };
    window.updateStandIn = standIn;
    const openKey = {
      state: 'open',
      key: new Uint8Array(32),
      protection: 'file',
      id: '0123456789abcdef',
      device: '3f0c2b6e-8a1d-4c57-9b43-0d6f5e2a7c18',
      hasSystem: false,
      recoverable: [],
    };
    const results: Record<string, unknown> = { keyState: openKey };
    window.benchbook = {
      call: async (name, args) => {
        if (name === 'openedFiles') return new Promise(() => undefined);
        standIn.calls.push([name, args]);
        if (name === 'updateState') {
          while (standIn.number === args[0])
            await new Promise<void>((resolve) => {
              const { changed } = standIn;
              standIn.changed = () => (changed(), resolve());
            });
          const { number, status: now } = standIn;
          return { ok: true, result: { number, installed: '0.1.0', left: null, status: now } };
        }
        return { ok: true, result: results[name] ?? (name === 'updateFromFolder' ? true : undefined) };
      },
    };
  }, first);
  await app.page.reload();
  await app.page.getByRole('heading', { name: 'App updates' }).waitFor();
  return app;
}

/** Changes the state, as the main process does. */
function show(page: Page, status: UpdateStatus): Promise<void> {
  return page.evaluate((next) => {
    window.updateStandIn.status = next;
    window.updateStandIn.number += 1;
    window.updateStandIn.changed();
  }, status);
}

const callsOf = (page: Page, name: string): Promise<unknown[][]> =>
  page.evaluate(
    (wanted) => window.updateStandIn.calls.filter(([one]) => one === wanted).map(([, args]) => args),
    name,
  );

describe('updates in Settings', () => {
  it('are accessible in every look and state', async () => {
    await using app = await open({ phase: 'current', checkedAt: null });
    const { page } = app;
    const administrator = { path: '/tmp/benchbook_0.2.0_amd64.deb', sha256: 'a'.repeat(64) };
    const shown: [UpdateStatus, string][] = [
      [{ phase: 'downloading', version: '0.2.0', percent: 40 }, 'Downloading version 0.2.0'],
      [{ phase: 'ready', ...stored, hold: null }, offered.notes],
      [{ phase: 'administrator', ...stored, ...administrator }, administrator.sha256],
      [{ phase: 'failed', reason: 'no-space', version: '0.2.0' }, text.updates.failures['no-space'].title],
    ];
    for (const [status, words] of shown) {
      await show(page, status);
      await page.getByText(words).first().waitFor();
      for (const [name, look] of looks) {
        await app.wear(look);
        expect(await offences(page, look), `${status.phase}, ${name}`).toEqual([]);
      }
    }
  });

  it('UPDATE-24 shows the version, what is found, and what to do', async () => {
    await using app = await open({ phase: 'current', checkedAt: null });
    const { page } = app;
    await page.getByText('Version 0.1.0').waitFor();
    await page.getByText('Not checked for updates yet.').waitFor();
    expect(await callsOf(page, 'updateFollow')).toEqual([[expect.stringMatching(/^https?:/)]]);
    await page.getByRole('button', { name: 'Check for updates' }).click();
    await page.getByRole('button', { name: 'Update from a folder…' }).click();
    await expect.poll(() => callsOf(page, 'updateLook')).toEqual([[]]);
    await expect
      .poll(() => callsOf(page, 'updateFromFolder'))
      .toEqual([[{ title: 'Choose the folder with the update' }]]);
    await show(page, { phase: 'looking' });
    await page.getByText('Checking for updates …').waitFor();
    await show(page, { phase: 'downloading', version: '0.2.0', percent: 40 });
    expect(
      await page
        .getByRole('progressbar', { name: 'Downloading version 0.2.0' })
        .getAttribute('aria-valuenow'),
    ).toBe('40');
    await show(page, { phase: 'ready', ...stored, hold: null });
    await page.getByText('Repairs of the clock.').waitFor();
    expect(await page.getByText('The last check failed').count()).toBe(0);
    await show(page, { phase: 'ready', ...stored, lookFailed: 'malformed', hold: null });
    await page.getByText('The last check failed: The update can’t be read.').waitFor();
    await page.getByRole('button', { name: 'Restart and update' }).click();
    await expect.poll(() => callsOf(page, 'updateInstall')).toEqual([[]]);
    await show(page, { phase: 'installing', version: '0.2.0' });
    await page.getByText('Installing version 0.2.0 …').waitFor();
    expect(await page.getByRole('button', { name: 'Restart and update' }).count()).toBe(0);
    await show(page, { phase: 'administrator', ...stored, path: '/home/ada/b.deb', sha256: 'ab12' });
    for (const words of ['Ask your administrator to install this file:', '/home/ada/b.deb', 'SHA-256: ab12'])
      await page.getByText(words).waitFor();
    await show(page, { phase: 'download', ...offered, address: 'https://bench.example/b.dmg' });
    await page.getByRole('link', { name: 'https://bench.example/b.dmg' }).waitFor();
    for (const [reason, { title, hint }] of Object.entries(text.updates.failures)) {
      await show(page, { phase: 'failed', reason: reason as 'disk', version: null });
      await page.getByRole('alert').filter({ hasText: title }).getByText(hint).waitFor();
    }
    // The section and what answers questions ask once for each change. Nothing asks again and again.
    expect((await callsOf(page, 'updateState')).length).toBeLessThanOrEqual(2 * 25);
    expect((await callsOf(page, 'keyState')).length).toBeLessThanOrEqual(2);
    await show(page, { phase: 'off' });
    await page.getByText('This package doesn’t install updates.').waitFor();
    expect(await page.getByRole('button', { name: 'Check for updates' }).count()).toBe(0);
    expect(app.errors).toEqual([]);
  });

  it('UPDATE-24 a browser has no such section', async () => {
    await using app = await bench.open('/settings');
    await app.page.getByRole('heading', { name: 'Display' }).waitFor();
    expect(await app.page.getByRole('heading', { name: 'App updates' }).count()).toBe(0);
  });

  it('UPDATE-25 says that the update waits for the running work order, and answers the same', async () => {
    await using app = await open({ phase: 'ready', ...stored, hold: null }, { running: true });
    const { page } = app;
    await page
      .getByText('A work order is running. The update waits until it’s finished or paused.')
      .waitFor();
    expect(await page.getByRole('button', { name: 'Restart and update' }).isDisabled()).toBe(true);
    await show(page, { phase: 'asking', version: '0.2.0', question: 5 });
    await expect.poll(() => callsOf(page, 'updateAnswer')).toEqual([[5, 'order']]);
  });

  it('UPDATE-25 lets the app close only if nothing is unsaved and the person is still in Settings', async () => {
    await using app = await open({ phase: 'ready', ...stored, hold: null });
    const { page } = app;
    const answers: unknown[][] = [];
    const ask = async (question: number, answer: string | null): Promise<void> => {
      await show(page, { phase: 'asking', version: '0.2.0', question });
      answers.push([question, answer]);
      await expect.poll(() => callsOf(page, 'updateAnswer')).toEqual(answers);
    };
    await ask(1, null);
    const fill = (journal: 'full' | 'file'): Promise<void> =>
      page.evaluate(
        (state) => window.fixture.change(({ storage }) => ({ storage: { ...storage, journal: state } })),
        journal,
      );
    await fill('full');
    await ask(2, 'unsaved');
    await fill('file');
    await ask(3, null);
    await page.evaluate(() => history.pushState(null, '', '/'));
    await ask(4, 'away');
  });
});
