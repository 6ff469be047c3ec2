import { expect, onTestFinished, test, vi } from 'vitest';

import type { Engine, Live } from '#desktop/engine/engine.ts';
import { ArchiveService } from '#desktop/engine/features/archives/archive-service.ts';
import { DraftManager } from '#desktop/engine/features/editing/draft-manager.ts';
import { openEngine } from '#desktop/engine/open.ts';

import { startOnDisk } from './filling-device.ts';

const form = {
  typed: { contents: 'Kept in memory' },
  start: { contents: '' },
  revisionid: 3,
  wikiid: null,
  at: 1_700_000_000_000,
};

/** The first value of a view. */
function first<T>(live: Live<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = live.subscribe((value) => {
      resolve(value);
      queueMicrotask(() => stop());
    }, reject);
  });
}

test('FORM-4 ELECTRON-87 what a full disk refuses is reported, and stored when there is space', async () => {
  const small = await startOnDisk();
  await small.close();
  const engine: Engine = await openEngine(small.platform);
  onTestFinished(() => engine.close().catch(() => undefined));
  const guideid = await engine.actions.openDraft(null);
  await engine.save();
  expect(await first(engine.views.holdsUnstored())).toBe(false);
  small.fillJournal(true);
  await expect(engine.actions.keepForm('page.1.7', form)).rejects.toThrow();
  await expect(engine.save()).rejects.toThrow();
  expect(await first(engine.views.holdsUnstored())).toBe(true);
  expect(await first(engine.views.unsavedForm('page.1.7'))).toEqual(form);
  small.fillJournal(false);
  await expect.poll(() => first(engine.views.holdsUnstored())).toBe(false);
  // Drafts count as well.
  small.fillJournal(true);
  engine.actions.editDraft(guideid, { op: 'setText', field: 'title', value: 'Two' }).catch(() => undefined);
  await expect.poll(() => first(engine.views.holdsUnstored())).toBe(true);
  await expect(engine.save()).rejects.toThrow();
  small.fillJournal(false);
  await engine.save();
  expect(await first(engine.views.holdsUnstored())).toBe(false);
  await engine.close();
  const again = await openEngine(small.platform);
  onTestFinished(() => again.close());
  expect(await first(again.views.unsavedForm('page.1.7'))).toEqual(form);
});

test('ELECTRON-87 what was typed is stored although something else cannot be closed', async () => {
  const small = await startOnDisk();
  await small.close();
  const broken = await openEngine(small.platform);
  const guideid = await broken.actions.openDraft(null);
  broken.actions
    .editDraft(guideid, { op: 'setText', field: 'title', value: 'Typed last' })
    .catch(() => undefined);
  await expect.poll(async () => (await first(broken.views.draft(guideid)))?.content.title).toBe('Typed last');
  const closing = vi.spyOn(ArchiveService.prototype, 'close').mockRejectedValue(new Error('broken'));
  const drafts = vi.spyOn(DraftManager.prototype, 'close');
  await expect(broken.close()).rejects.toThrow('broken');
  expect(drafts.mock.calls).toHaveLength(1);
  closing.mockRestore();
  drafts.mockRestore();
  const again = await openEngine(small.platform);
  onTestFinished(() => again.close());
  await expect
    .poll(() => first(again.views.draft(guideid)))
    .toMatchObject({ content: { title: 'Typed last' } });
});
