import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { Mirrored, OutboxCall } from '#desktop/engine/platform/ports.ts';
import { overlayComments } from '#desktop/engine/features/records/overlay/comments.ts';
import { overlayEntry } from '#desktop/engine/features/records/overlay/entry.ts';
import { overlayGuide } from '#desktop/engine/features/records/overlay/guide.ts';
import { overlayMarks } from '#desktop/engine/features/records/overlay/viewer.ts';
import type { CommentFacts } from '#shared/model/comment.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { queuedCall } from '#test/desktop/engine/support/queued-call.ts';
import { plainGuide } from '#test/support/guide-edits.ts';

const same = (id: string): string => id;

function call(change: Partial<OutboxCall>): OutboxCall {
  return queuedCall({
    kind: 'favorite',
    method: 'PUT',
    path: '/',
    target: { collection: 'guides', id: '7' },
    ...change,
  });
}

function mirrored(seq: number, title: string): Mirrored<'guides'> {
  return { id: '7', seq, facts: { ...plainGuide, title } };
}

const states = fc.constantFrom<OutboxCall['state']>('queued', 'sending', 'done', 'parked', 'conflict');

test('a save shows until the mirror has it and never again, whatever seq it gets', () => {
  const before = contentOf(plainGuide);
  const content = { ...before, title: 'Mine' };
  fc.assert(
    fc.property(
      fc.nat({ max: 50 }),
      fc.integer({ min: 1, max: 50 }),
      fc.nat({ max: 50 }),
      (start, step, later) => {
        const doneSeq = start + step;
        const context = { saveId: 's', base: plainGuide, before, content };
        const shown = [
          { record: mirrored(start, plainGuide.title), state: 'queued' as const, seq: null },
          { record: mirrored(start, plainGuide.title), state: 'sending' as const, seq: null },
          { record: mirrored(start, plainGuide.title), state: 'done' as const, seq: doneSeq },
          { record: mirrored(doneSeq, 'Mine'), state: 'done' as const, seq: doneSeq },
        ].map(({ record, state, seq }) => {
          const calls = [call({ kind: 'guide-save', method: 'PATCH', state, doneSeq: seq, context })];
          return overlayGuide('7', record, calls)?.content.title;
        });
        expect(shown).toEqual(['Mine', 'Mine', 'Mine', 'Mine']);
        const after = overlayGuide('7', mirrored(doneSeq + later, 'Somebody else’s'), [
          call({ kind: 'guide-save', method: 'PATCH', state: 'done', doneSeq, context }),
        ]);
        expect(after?.content.title).toBe('Somebody else’s');
      },
    ),
  );
});

test('a new guide exists exactly once from creation to arrival, in every state of its call', () => {
  const content = contentOf(plainGuide);
  const context = { saveId: 's', base: null, before: content, content };
  fc.assert(
    fc.property(states, fc.boolean(), (state, isThere) => {
      const made = call({
        kind: 'guide-create',
        method: 'POST',
        state,
        doneSeq: state === 'done' ? 5 : null,
        context,
      });
      const guide = overlayGuide('7', isThere ? mirrored(5, plainGuide.title) : null, [made]);
      expect(guide?.content.title).toBe(plainGuide.title);
      expect(guide?.facts === null).toBe(!isThere);
    }),
  );
});

test('a removal hides the guide immediately, and a refused one shows it again', () => {
  const remove = (state: OutboxCall['state']): OutboxCall =>
    call({ kind: 'guide-delete', method: 'DELETE', state });
  expect(overlayGuide('7', mirrored(3, 'There'), [remove('queued')])).toBeNull();
  expect(overlayGuide('7', mirrored(3, 'There'), [remove('parked')])).toMatchObject({ editState: 'parked' });
});

test('a waiting save is shown on top of concurrent edits', () => {
  const before = contentOf(plainGuide);
  const context = { saveId: 's', base: plainGuide, before, content: { ...before, title: 'Mine' } };
  const record: Mirrored<'guides'> = {
    id: '7',
    seq: 9,
    facts: { ...plainGuide, revisionid: 80, summary: 'Theirs.' },
  };
  const guide = overlayGuide('7', record, [call({ kind: 'guide-save', method: 'PATCH', context })]);
  expect(guide?.content).toMatchObject({ title: 'Mine', summary: 'Theirs.' });
});

const comment: CommentFacts = {
  commentid: 501,
  langid: 'en',
  context: 'guide',
  contextid: 7,
  guideid: 7,
  parentid: null,
  userid: 1,
  text_raw: 'Posted',
  date: 1,
  modified_date: 1,
  replied_date: 0,
  rating: 0,
  status: '',
  status_reason: null,
};

test('a comment shows once at every moment between writing and arrival, even if the feed is faster than the response', () => {
  const id = '0199aaaa-0000-7000-8000-000000000009';
  const place = { guideid: '7', context: 'guide', contextid: '7', replyTo: null };
  fc.assert(
    fc.property(states, fc.boolean(), fc.boolean(), (state, isThere, isKnown) => {
      const add = call({
        id,
        kind: 'comment-add',
        method: 'POST',
        body: { text: 'Posted' },
        target: { collection: 'comments', id: `tmp:${id}` },
        state,
        doneSeq: state === 'done' ? 4 : null,
        context: place,
      });
      const records = isThere ? [{ id: '501', seq: 4, facts: { ...comment, key: id } }] : [];
      const resolve = (temporary: string): string =>
        isKnown && temporary === `tmp:${id}` ? '501' : temporary;
      expect(overlayComments({ guideid: '7' }, records, [add], resolve).map(({ text }) => text)).toEqual([
        'Posted',
      ]);
    }),
  );
});

test('edits and removals of posted comments show immediately', () => {
  const records = [{ id: '501', seq: 4, facts: comment }];
  const target = { collection: 'comments', id: '501' } as const;
  const edit = call({ kind: 'comment-edit', method: 'PATCH', body: { text: 'Corrected' }, target });
  expect(overlayComments({ guideid: '7' }, records, [edit], same)).toMatchObject([
    { text: 'Corrected', pending: true, edited: true },
  ]);
  expect(overlayComments({ guideid: '7' }, records, [{ ...edit, state: 'parked' }], same)).toMatchObject([
    { text: 'Posted' },
  ]);
  expect(
    overlayComments(
      { guideid: '7' },
      records,
      [call({ kind: 'comment-remove', method: 'DELETE', target })],
      same,
    ),
  ).toEqual([]);
});

test('deleting a comment hides its replies, except an unsent one', () => {
  const reply = { ...comment, commentid: 502, parentid: 501, text_raw: 'Answered' };
  const other = { ...comment, commentid: 503, text_raw: 'Another' };
  const records = [comment, reply, other].map((facts) => ({ id: String(facts.commentid), seq: 4, facts }));
  const unsent = call({
    kind: 'comment-add',
    method: 'POST',
    body: { text: 'On its way', parentid: 501 },
    target: { collection: 'comments', id: 'tmp:reply' },
    context: { guideid: '7', context: 'guide', contextid: '7', replyTo: '501' },
  });
  const remove = call({
    kind: 'comment-remove',
    method: 'DELETE',
    target: { collection: 'comments', id: '501' },
  });
  const texts = (removal: OutboxCall): string[] =>
    overlayComments({ guideid: '7' }, records, [unsent, removal], same).map(({ text }) => text);
  expect(texts(remove).toSorted()).toEqual(['Another', 'On its way']);
  expect(texts({ ...remove, state: 'parked' }).toSorted()).toEqual([
    'Another',
    'Answered',
    'On its way',
    'Posted',
  ]);
});

test('the last mark counts, and a newer mark of the mirror counts more than a finished call', () => {
  const target = { collection: 'viewer', id: 'favorite:7' } as const;
  const on = call({ target, method: 'PUT' });
  const off = call({ target, method: 'DELETE' });
  const isOn = (seq: number | null, calls: OutboxCall[]): boolean =>
    overlayMarks('favorite', new Map(seq === null ? [] : [['7', seq]]), calls, same).on.has('7');
  expect(isOn(null, [on])).toBe(true);
  expect(isOn(3, [off])).toBe(false);
  expect(isOn(3, [off, on])).toBe(true);
  expect(isOn(3, [{ ...off, state: 'done', doneSeq: 9 }])).toBe(false);
  expect(isOn(12, [{ ...off, state: 'done', doneSeq: 9 }])).toBe(true);
  expect(isOn(3, [{ ...off, state: 'parked' }])).toBe(true);
});

test('events already in the mirror are not counted twice while their calls are being sent', () => {
  const event = (type: 'start' | 'pause' | 'resume', minutes: number) => {
    return { type, userid: 1, at: minutes * 60_000, mono: minutes * 60_000, session: 'page' };
  };
  const facts: EntryFacts = {
    entryid: 310,
    guideid: 7,
    workorderid: 'WO-1',
    guide_revisionid: 70,
    max_form_revisionid: 1,
    handoffid: null,
    events: [event('start', 0), event('pause', 5), event('resume', 9)],
    images: [],
  };
  const target = { collection: 'workLog', id: '310' } as const;
  const move = (name: 'pause' | 'resume', minutes: number): OutboxCall => {
    const body = { at: minutes * 60_000, mono: minutes * 60_000, session: 'page', offset: 0 };
    return call({
      kind: 'entry-move',
      state: 'sending',
      target,
      body,
      context: { guideid: '7', workorderid: 'WO-1', move: name },
    });
  };
  const calls = [move('pause', 5), move('resume', 9), move('pause', 12)];
  const shown = [1, 2, 3].map((count) => {
    const record = { id: '310', seq: count, facts: { ...facts, events: facts.events.slice(0, count) } };
    return overlayEntry('310', record, calls)?.facts.events.map(({ type, at }) => [type, at / 60_000]);
  });
  const all = [
    ['start', 0],
    ['pause', 5],
    ['resume', 9],
    ['pause', 12],
  ];
  expect(shown).toEqual([all, all, all]);
});
