import { expect, test } from 'vitest';

import { CallIndex } from '#desktop/engine/outbox/calls.ts';
import { nextBatch } from '#desktop/engine/outbox/lanes.ts';
import { inheritRevision, passRevision } from '#desktop/engine/outbox/revisions.ts';
import { queuedCall } from '#test/desktop/engine/support/queued-call.ts';

const publication = queuedCall({
  kind: 'guide-publish',
  id: 'publication',
  query: { revisionid: '4' },
});
/** Merged with another version, so that it names a stale revision, and a step whose revision is still unknown. */
const save = queuedCall({
  kind: 'guide-save',
  id: 'save',
  order: 2,
  query: { revisionid: '0' },
  body: { steps: [{ stepid: 'tmp:step-1', revisionid: 'previous', title: 'Belt' }] },
});
const waiting = new CallIndex([publication, save]);

test('OUTBOX-10 a save with a step whose revision is still unknown waits for the call that brings it', () => {
  expect(nextBatch(waiting, 0).calls).toEqual([publication]);
  const done = { ...publication, state: 'done' as const };
  const steps = [{ stepid: 28, revisionid: 7, key: 'step-1' }];
  const row = { c: 'guides' as const, id: '1', seq: 1, doc: { guideid: 1, revisionid: 5, steps } };
  const [passed] = passRevision(waiting, done, row);
  expect(passed).toMatchObject({ query: save.query, body: { steps: [{ revisionid: 7, title: 'Belt' }] } });
});

test('OUTBOX-10 a save whose step got no revision, because the previous call had no effect, is stale', () => {
  const [inherited] = inheritRevision(waiting, publication);
  expect(inherited).toMatchObject({ query: save.query, body: { steps: [{ revisionid: 0 }] } });
});
