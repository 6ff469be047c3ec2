import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { versionText } from '#shared/rules/work-revision.ts';
import { openBench } from '#test/desktop/engine/bench/bench-of-test.ts';
import type { Bench } from '#test/desktop/engine/bench/bench.ts';
import { now } from '#test/desktop/engine/bench/live-values.ts';
import { plainGuide } from '#test/support/guide-edits.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';

const earlier = {
  ...versionText(plainGuide),
  guide_revisionid: 1,
  title: 'The earlier title',
  flags: ['GUIDE_OLD'],
  steps: plainGuide.steps.slice(0, 1),
};

/** A device with the plain guide as number 7. The server has one earlier version of it, until it goes offline. */
async function withEarlier(): Promise<{
  server: StandInServer;
  bench: Bench;
  goOffline: () => void;
  asked: string[];
}> {
  const server = StandInServer.still();
  server.put('guides', '7', plainGuide);
  let isOffline = false;
  const asked: string[] = [];
  const bench = await openBench(server, {
    request: (path) => {
      asked.push(path);
      if (isOffline) return Promise.reject(new TypeError('Failed to fetch'));
      const isVersion = path.endsWith('/guides/7/revisions/1');
      return Promise.resolve(isVersion ? Response.json(earlier) : new Response(null, { status: 503 }));
    },
  });
  return { server, bench, goOffline: () => (isOffline = true), asked };
}

test('GUIDE-HISTORY-2 an earlier revision is restored as a new one, without its flags', async () => {
  const { server, bench } = await withEarlier();
  await bench.actions.restoreVersion('7', 1, plainGuide.revisionid);
  expect((await now(bench.views.guide('7')))?.title).toBe('The earlier title');
  await bench.sync();
  expect(server.guide(7)).toMatchObject({ title: 'The earlier title', flags: plainGuide.flags });
  expect(server.guide(7).steps).toHaveLength(1);
  expect(server.guide(7).revisionid).toBeGreaterThan(plainGuide.revisionid);
});

test('GUIDE-HISTORY-2 nothing is restored over changes of one’s own', async () => {
  const { bench } = await withEarlier();
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', { op: 'setText', field: 'summary', value: 'Mine' });
  await expect(bench.actions.restoreVersion('7', 1, plainGuide.revisionid)).rejects.toThrow(
    'your own changes',
  );
  expect((await now(bench.views.draft('7')))?.content.summary).toBe('Mine');
});

test('GUIDE-HISTORY-2 a revision that is not restored leaves no draft', async () => {
  const { server, bench } = await withEarlier();
  await bench.actions.publish('7', false);
  await bench.sync();
  const { revisionid, guide_revisionid } = server.guide(7);
  await expect(bench.actions.restoreVersion('7', guide_revisionid, revisionid)).rejects.toThrow(
    'nothing to restore',
  );
  expect(await now(bench.views.draft('7'))).toBeNull();
});

test('GUIDE-HISTORY-4 a guide that somebody saved meanwhile is not restored', async () => {
  const { server, bench } = await withEarlier();
  server.editGuide(7, (content) => ({ ...content, summary: 'Of somebody else' }));
  await bench.pull();
  await expect(bench.actions.restoreVersion('7', 1, plainGuide.revisionid)).rejects.toThrow(
    'Someone saved this guide meanwhile',
  );
  expect(await now(bench.views.draft('7'))).toBeNull();
  expect(bench.outbox.present()).toEqual([]);
});

test('GUIDE-HISTORY-4 the revision is released that the person saw, not a newer one on this device', async () => {
  const { server, bench, asked } = await withEarlier();
  const seen = must(must(await now(bench.views.guideHistory('7')), 'the history').present, 'the revision');
  server.editGuide(7, (content) => ({ ...content, summary: 'Of somebody else' }));
  await bench.pull();
  const release = { title: 'v2', type: 'major', notes: '' } as const;
  await expect(bench.actions.releaseGuide('7', seen.revisionid, release)).rejects.toThrow();
  expect(asked.at(-1)).toContain(`/guides/7/releases?revisionid=${plainGuide.revisionid}`);
});

test('GUIDE-HISTORY-1 offline only the texts on this device are there', async () => {
  const { bench, goOffline } = await withEarlier();
  goOffline();
  const known = must(await now(bench.views.guideHistory('7')), 'the history');
  expect(known.onDevice.map(({ guide_revisionid }) => guide_revisionid)).toEqual([
    plainGuide.guide_revisionid,
  ]);
  expect(await bench.actions.guideVersion('7', plainGuide.guide_revisionid)).toMatchObject({
    title: plainGuide.title,
  });
  await expect(bench.actions.guideVersion('7', 1)).rejects.toThrow('cannot be reached');
  await expect(bench.actions.guideRevisions('7')).rejects.toThrow('cannot be reached');
});
