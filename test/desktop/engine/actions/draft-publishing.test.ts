import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { workshop } from '#test/desktop/engine/bench/bench-of-test.ts';
import { now } from '#test/desktop/engine/bench/live-values.ts';
import { plainGuide } from '#test/support/guide-edits.ts';

test('publishing is retried when another person edited the guide meanwhile', async () => {
  const { server, bench } = await workshop();
  server.put('guides', '7', { ...plainGuide, public: false });
  await bench.pull();
  await bench.actions.publish('7', true);
  expect((await now(bench.views.guide('7')))?.public).toBe(true);
  server.editGuide(7, (content) => ({ ...content, title: 'Edited meanwhile' }));
  await bench.sync();
  expect(server.guide(7)).toMatchObject({ public: true, title: 'Edited meanwhile' });
});

test("a title saved after publishing does not replace another person's concurrent one", async () => {
  const { server, bench } = await workshop();
  server.put('guides', '7', { ...plainGuide, public: false });
  await bench.pull();
  await bench.actions.publish('7', true);
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', { op: 'setText', field: 'title', value: 'My title' });
  await bench.actions.saveDraft('7');
  server.editGuide(7, (content) => ({ ...content, title: 'Their title' }));
  await bench.sync();
  expect(server.guide(7)).toMatchObject({ public: true, title: 'Their title' });
  const conflicts = must(await now(bench.views.conflict('7')), 'conflicts');
  expect(conflicts.conflicts.map(({ place }) => place)).toEqual([{ field: 'title' }]);
});

test('a draft that stays on its base because of a conflict is not saved over the server after a publication', async () => {
  const { server, bench } = await workshop();
  server.put('guides', '7', { ...plainGuide, public: false });
  await bench.pull();
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', { op: 'setText', field: 'title', value: 'My title' });
  server.editGuide(7, (content) => ({ ...content, title: 'Their title' }));
  await bench.pull();
  await bench.actions.publish('7', true);
  await bench.actions.saveDraft('7');
  await bench.sync();
  expect(server.guide(7)).toMatchObject({ public: true, title: 'Their title' });
  expect((await now(bench.views.conflict('7')))?.conflicts).toHaveLength(1);
});

test('calls after a publication that became needless are still sent', async () => {
  const { server, bench } = await workshop();
  server.put('guides', '7', { ...plainGuide, public: false });
  await bench.pull();
  await bench.actions.publish('7', true);
  await bench.actions.publish('7', false);
  server.put('guides', '7', { ...server.guide(7), public: true, revisionid: 900 });
  await bench.sync();
  expect(server.guide(7).public).toBe(false);
  expect(bench.outbox.present()).toEqual([]);
});
