import { expect, test } from 'vitest';

import { renewsRevision, revisionOf } from '#desktop/engine/actions/outbox.ts';
import { callKindSpecs } from '#desktop/engine/outbox/kinds/index.ts';
import type { CallKind } from '#desktop/engine/platform/ports.ts';
import type { SyncedCollection, SyncedDocument } from '#shared/sync/wire.ts';

test('OUTBOX-7 every call that a person decides names the present revision when it is sent again, if it names one', () => {
  const kinds = Object.keys(callKindSpecs) as CallKind[];
  const decided = kinds.filter((kind) => callKindSpecs[kind].conflict === 'decide');
  expect(decided).toContain('guide-delete');
  for (const kind of decided) {
    expect([kind, renewsRevision({ kind, query: { revisionid: '4' } })]).toEqual([kind, true]);
    expect([kind, renewsRevision({ kind, query: {} })]).toEqual([kind, false]);
  }
  // A save is merged with what others wrote; with a newer revision it would replace that.
  for (const kind of ['guide-save', 'wiki-save'] as const)
    expect(renewsRevision({ kind, query: { revisionid: '4' } })).toBe(false);
});

test.each([
  ['a guide', { guideid: 61, revisionid: 7 }, 7],
  [
    'a page with a version that nobody patrolled',
    { namespace: 'INFO', revisionid: 7, unpatrolled: { revisionid: 8 } },
    8,
  ],
  ['a patrolled page', { namespace: 'INFO', revisionid: 7 }, 7],
  ['a record without revisions', { commentid: 4 }, undefined],
])('OUTBOX-7 the present revision of %s is found', (_, facts, revisionid) => {
  expect(revisionOf(facts as unknown as SyncedDocument<SyncedCollection>)).toBe(revisionid);
});
