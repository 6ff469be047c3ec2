import { expect, test } from 'vitest';

import { chainOf } from '#desktop/renderer/screens/site/audit-chain.ts';
import { auditHref, placeOf, queryOf } from '#desktop/renderer/screens/site/audit-query.ts';
import { actionWords, shownAt, recordWords, whoWords } from '#desktop/renderer/screens/site/audit-words.ts';
import { auditText } from '#desktop/renderer/text/audit.ts';
import { german } from '#desktop/renderer/text/de.ts';
import { auditText as englishWords } from '#desktop/renderer/text/en/audit.ts';
import { policies } from '#server/storage/audit/policies.ts';
import { surface } from '#shared/api/surface.ts';
import type { AuditEntry } from '#shared/model/audit.ts';

const entry: AuditEntry = {
  seq: 3,
  date: 1_750_000_000,
  time: '2025-06-15T15:06:40.000Z',
  userid: 7,
  name: 'Ana',
  impersonator: null,
  action: 'PATCH /guides/{guideid}',
  outcome: 'done',
  object: 'guide',
  objectid: '61',
  revision_before: 1,
  revision_after: 2,
  address: '127.0.0.1',
  changes: [],
  prev_hash: 'b',
  hash: 'c',
};

test('a call has words of its own or the summary in the API, and no words are unused', () => {
  const calls = Object.values(surface)
    .flatMap((table) => Object.values(table))
    .filter((endpoint) => endpoint.method !== 'GET' && !('reads' in endpoint && endpoint.reads === true))
    .map(({ method, path }) => `${method} ${path}`);
  const isCall = (name: string) => /^(?:POST|PUT|PATCH|DELETE) /.test(name);
  expect(Object.keys(auditText.actions).filter((name) => isCall(name) && !calls.includes(name))).toEqual([]);
  expect(actionWords('PATCH /site')).toBe('Change site settings');
  expect(actionWords('PATCH /comments/{commentid}')).toBe('Edit a comment');
  expect(actionWords('benchbook site set')).toBe('Command “benchbook site set”');
});

test('every recorded table and every job has a description', () => {
  const recorded = Object.entries(policies).flatMap(([name, policy]) => ('derived' in policy ? [] : [name]));
  expect(recorded.filter((name) => !(name in auditText.kinds))).toEqual([]);
  expect(actionWords('jobs')).toBe('Start or end a job');
  expect(actionWords('job archive-collect: make archives')).toBe('Job “archive-collect: make archives”');
});

test('a row says who did it, also on behalf of another person', () => {
  const nameOf = (userid: number) => (userid === 9 ? 'Mira' : undefined);
  expect(whoWords(entry, nameOf)).toBe('Ana');
  expect(whoWords({ ...entry, impersonator: 9 }, nameOf)).toBe('Mira, acting as Ana');
  expect(whoWords({ ...entry, impersonator: 8 }, nameOf)).toBe('Administrator 8, acting as Ana');
});

test.each(['actions', 'kinds'] as const)('the %s have German words', (part) => {
  expect(Object.keys(german.audit[part]).toSorted()).toEqual(Object.keys(englishWords[part]).toSorted());
});

test.each([
  ['guide', '61', 'PATCH /guides/{guideid}', 'Guide 61', '/guides/61'],
  ['entry', '5', 'POST /work_log/{entryid}/pause', 'Work order 5', '/work-orders/5'],
  ['entry', '5', 'DELETE /translation_glossary/entries/{entryid}', 'Entry 5', null],
  ['site', 'site', 'PATCH /site', 'Site settings', '/settings/site'],
  ['meta', 'site', 'benchbook site set', 'Site settings', '/settings/site'],
  ['wiki', '71', 'PATCH /wikis/{namespace}/{title}', 'Page 71', '/pages/71'],
  ['comment', '4', 'PATCH /comments/{commentid}', 'Comment 4', null],
  ['guide', '../x', 'PATCH /guides/{guideid}', 'Guide ../x', null],
  [
    'approvalDefault',
    '{"wikiid":1}',
    'PUT /approvals/{wikiid}/{approval_processid}',
    'Default approval process',
    null,
  ],
  ['', '', 'server', '', null],
])(
  'a record of the kind “%s” with the id %s is named and linked as the app does',
  (object, objectid, action, words, href) => {
    expect(recordWords({ object, objectid, action })).toBe(words);
    expect(shownAt({ object, objectid, action })).toBe(href);
  },
);

test('an address carries the filters and restores them; invalid values filter nothing', () => {
  const filter = { userid: 7, object: 'guide', objectid: '61', from: '2026-05-04', to: '2026-05-04' };
  expect(auditHref({})).toBe('/settings/audit');
  expect(placeOf(auditHref(filter, 2).split('?')[1] ?? '')).toMatchObject({ filter, page: 2 });
  expect(queryOf(filter)).toMatchObject({
    userid: 7,
    from: new Date(2026, 4, 4).getTime() / 1000,
    until: new Date(2026, 4, 5).getTime() / 1000,
  });
  const odd = placeOf('userid=me&outcome=perhaps&from=2026-02-31&to=soon&page=0');
  expect(odd.page).toBe(0);
  expect(Object.values(odd.filter).filter((value) => value !== undefined)).toEqual([]);
});

test('gaps between rows are found, unless a filter leaves rows out', () => {
  const rows = [entry, { ...entry, seq: 2, hash: 'b', prev_hash: 'a' }, { ...entry, seq: 1, hash: 'a' }];
  expect(chainOf(rows, false)).toEqual({ kind: 'linked' });
  expect(chainOf(rows, true)).toEqual({ kind: 'filtered' });
  expect(chainOf(rows.toSpliced(1, 1), false)).toEqual({ kind: 'broken', seq: 3 });
  expect(chainOf(rows.with(1, { ...entry, seq: 2, hash: 'x', prev_hash: 'a' }), false)).toEqual({
    kind: 'broken',
    seq: 3,
  });
});
