import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { workshop } from '#test/desktop/engine/bench/bench-of-test.ts';
import type { Bench } from '#test/desktop/engine/bench/bench.ts';
import { now } from '#test/desktop/engine/bench/live-values.ts';
import { endsWithTest } from '#test/support/ends-with-test.ts';
import { plainGuide } from '#test/support/guide-edits.ts';

const day = 24 * 60 * 60_000;
async function restarted(bench: Bench): Promise<Bench> {
  const again = await bench.crash();
  endsWithTest(again);
  return again;
}

test('accepted calls stay listed, newest first, with the time of acceptance', async () => {
  const { server, bench } = await workshop();
  await bench.actions.favorite('7', true);
  const at = server.now;
  server.now += 60_000;
  await bench.sync();
  server.now += 60_000;
  await bench.actions.comment('guide', '7', 'Check the belt first');
  const items = await now(bench.views.activity());
  expect(items).toMatchObject([
    { kind: 'comment', state: 'queued', detail: 'Check the belt first', doneAt: null },
    {
      kind: 'favorite',
      state: 'on-the-server',
      detail: 'on',
      subject: plainGuide.title,
      at,
      doneAt: at + 60_000,
    },
  ]);
});

test('an entry stays one entry from creation to arrival and after a restart', async () => {
  const { bench } = await workshop();
  await bench.actions.comment('guide', '7', 'Once');
  const call = must(bench.outbox.present()[0], 'the call');
  const seen: string[][] = [];
  const stop = bench.views.activity().subscribe(
    (items) => seen.push(items.map(({ id }) => id)),
    (error) => {
      throw error;
    },
  );
  await bench.sync();
  stop();
  expect(new Set(seen.map((ids) => ids.join()))).toEqual(new Set([call.id]));
  const again = await restarted(bench);
  expect((await now(again.views.activity())).map(({ id, state }) => [id, state])).toEqual([
    [call.id, 'on-the-server'],
  ]);
});

test('calls accepted a month ago are no longer listed after a restart', async () => {
  const { server, bench } = await workshop();
  await bench.actions.comment('guide', '7', 'Long ago');
  await bench.sync();
  server.now += 20 * day;
  await bench.actions.comment('guide', '7', 'Lately');
  await bench.sync();
  server.now += 11 * day;
  const again = await restarted(bench);
  expect((await now(again.views.activity())).map(({ detail }) => detail)).toEqual(['Lately']);
});

test('a save that only reorders steps says so', async () => {
  const { bench } = await workshop();
  await bench.actions.openDraft('7');
  const steps = must(await now(bench.views.draft('7')), 'the draft').content.steps;
  expect(steps.length).toBeGreaterThan(1);
  const first = must(steps[0], 'a step').key;
  await bench.actions.editDraft('7', { op: 'moveStep', step: first, index: steps.length - 1 });
  await bench.actions.saveDraft('7');
  expect(await now(bench.views.activity())).toMatchObject([{ kind: 'guide', detail: 'moved' }]);
});
