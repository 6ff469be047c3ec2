import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { CallIndex } from '#desktop/engine/outbox/calls.ts';
import { coalesce as coalesceIn } from '#desktop/engine/outbox/coalesce.ts';
import type { Coalesced } from '#desktop/engine/outbox/kinds/kind.ts';
import { nextBatch } from '#desktop/engine/outbox/lanes.ts';
import { needsOf } from '#desktop/engine/sync/temporary-ids.ts';
import { withRealIds } from '#shared/sync/temporary-ids.ts';
import type { CallKind, OutboxCall } from '#desktop/engine/platform/ports.ts';
import { queuedCall } from '#test/desktop/engine/support/queued-call.ts';

function coalesce(calls: readonly OutboxCall[], incoming: OutboxCall): Coalesced {
  return coalesceIn(new CallIndex(calls), incoming);
}

let made = 0;

function call(kind: CallKind, more: Partial<OutboxCall> = {}): OutboxCall {
  made += 1;
  const id = `call-${String(made).padStart(4, '0')}`;
  const whole = queuedCall({ id, kind, at: made, order: made, ...more });
  return { ...whole, needs: needsOf(whole) };
}

describe('guide saves', () => {
  const base = { revisionid: 5 };

  test('OUTBOX-1 a save from the same base replaces the unsent one and keeps its key and revision', () => {
    const first = call('guide-save', {
      query: { revisionid: '5' },
      body: { title: 'A', summary: 'S' },
      context: { base, content: 1 },
    });
    const second = call('guide-save', {
      query: { revisionid: 'previous' },
      body: { title: 'B' },
      context: { base, content: 2 },
    });
    const { put, drop } = coalesce([first], second);
    expect(drop).toEqual([]);
    expect(put).toEqual([{ ...first, body: { title: 'B' }, context: { base, content: 2 } }]);
  });

  test('OUTBOX-1 a save on top of an unsent one extends it, step by step', () => {
    const first = call('guide-save', {
      body: {
        title: 'A',
        steps: [
          { stepid: 1, revisionid: 1, title: 'One' },
          { key: 'tmp:new-step-1', title: 'New' },
          { stepid: 2, revisionid: 1 },
        ],
      },
      context: { base },
    });
    const second = call('guide-save', {
      body: {
        summary: 'S',
        steps: [
          { key: 'tmp:new-step-1', lines: [] },
          { stepid: 1, revisionid: 1, lines: [] },
        ],
        removed_steps: [{ stepid: 2, revisionid: 1 }],
      },
      context: { base: { revisionid: 6 } },
    });
    expect(coalesce([first], second).result.body).toEqual({
      title: 'A',
      summary: 'S',
      steps: [
        { key: 'tmp:new-step-1', title: 'New', lines: [] },
        { stepid: 1, revisionid: 1, title: 'One', lines: [] },
      ],
      removed_steps: [{ stepid: 2, revisionid: 1 }],
    });
  });

  test('OUTBOX-1 a save of a guide not yet created becomes part of the call that creates it', () => {
    const create = call('guide-create', {
      method: 'POST',
      path: '/guides',
      body: { title: 'A', category: 'C', type: 'repair' },
    });
    const save = call('guide-save', { path: `/guides/tmp:${create.id}`, body: { title: 'B' } });
    const { put, result } = coalesce([create], save);
    expect(put).toHaveLength(1);
    expect(result).toMatchObject({
      id: create.id,
      kind: 'guide-create',
      path: '/guides',
      body: { title: 'B', category: 'C', type: 'repair' },
    });
  });

  test.each([
    ['being sent', { state: 'sending' as const }],
    ['already tried once', { tries: 1 }],
    ['in conflict', { state: 'conflict' as const }],
  ])('OUTBOX-1 a save does not change one that is %s', (_, more) => {
    const first = call('guide-save', { body: { title: 'A' }, ...more });
    const second = call('guide-save', { body: { title: 'B' } });
    expect(coalesce([first], second)).toEqual({ put: [second], drop: [], result: second });
  });

  test('OUTBOX-1 a save does not pass a call in between', () => {
    const calls = [call('guide-save', { body: { title: 'A' } }), call('guide-publish')];
    const last = call('guide-save', { body: { title: 'B' } });
    expect(coalesce(calls, last).put).toEqual([last]);
  });

  test('OUTBOX-7 a save after a refused one joins it and sends it again', () => {
    const refusal = { status: 422, message: 'Too long', errors: [] };
    const first = call('guide-save', {
      body: { title: 'Long', summary: 'S' },
      state: 'parked',
      tries: 1,
      refusal,
      context: { base },
    });
    const { result } = coalesce(
      [first],
      call('guide-save', { body: { title: 'Short' }, context: { base: { revisionid: 9 } } }),
    );
    expect(result).toMatchObject({
      id: first.id,
      state: 'queued',
      refusal: null,
      body: { title: 'Short', summary: 'S' },
    });
  });
});

describe('comments', () => {
  const post = (): OutboxCall =>
    call('comment-add', { method: 'POST', path: '/comments/guide/1', body: { text: 'A', parentid: 4 } });

  test('OUTBOX-2 an edit of an unsent comment becomes part of the post', () => {
    const add = post();
    const { put } = coalesce([add], call('comment-edit', { body: { text: 'B' } }));
    expect(put).toEqual([{ ...add, body: { text: 'B', parentid: 4 } }]);
  });

  test('OUTBOX-2 removing an unsent comment removes both', () => {
    const add = post();
    expect(coalesce([add], call('comment-remove', { method: 'DELETE' }))).toMatchObject({
      put: [],
      drop: [add.id],
    });
  });

  test('OUTBOX-2 an unsent comment with a queued reply is not removed unsent', () => {
    const add = post();
    const reply = call('comment-add', { lane: 'reply', body: { text: 'R', parentid: `tmp:${add.id}` } });
    const remove = call('comment-remove', { method: 'DELETE' });
    expect(coalesce([add, reply], remove)).toMatchObject({ put: [remove], drop: [] });
  });

  test('OUTBOX-2 removing a comment drops its unsent edit', () => {
    const edit = call('comment-edit', { body: { text: 'B' } });
    const remove = call('comment-remove', { method: 'DELETE' });
    expect(coalesce([edit], remove)).toMatchObject({ put: [remove], drop: [edit.id] });
  });
});

test('OUTBOX-5 only the last unsent switch of a favourite is sent', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), (switches) => {
      let calls: OutboxCall[] = [];
      for (const on of switches) {
        const { put, drop } = coalesce(calls, call('favorite', { method: on ? 'PUT' : 'DELETE' }));
        calls = [...calls.filter(({ id }) => ![...drop, ...put.map((one) => one.id)].includes(id)), ...put];
      }
      expect(calls.map(({ method }) => method)).toEqual([switches.at(-1) === true ? 'PUT' : 'DELETE']);
    }),
  );
});

test('OUTBOX-5 a switch after a refused one is sent again', () => {
  const refusal = { status: 403, message: 'Not yours', errors: [] };
  const first = call('favorite', { method: 'PUT', state: 'parked', tries: 1, refusal });
  const { put } = coalesce([first], call('favorite', { method: 'PUT' }));
  expect(put).toEqual([{ ...first, state: 'queued', tries: 0, refusal: null }]);
});

test('OUTBOX-19 unsent edits of a profile merge field by field', () => {
  const first = call('profile-save', { body: { location: 'Hall 1', about: 'A' } });
  const second = call('profile-save', { body: { location: 'Hall 2' } });
  expect(coalesce([first], second).put).toMatchObject([
    { id: first.id, body: { location: 'Hall 2', about: 'A' } },
  ]);
  expect(coalesce([{ ...first, tries: 1 }], second).put).toEqual([second]);
});

test('OUTBOX-20 only the last unsent choice about a team membership is sent', () => {
  const join = call('membership', { method: 'PUT', body: { join_code: 'knock' } });
  const leave = call('membership', { method: 'DELETE', body: undefined });
  expect(coalesce([join], leave).put).toMatchObject([{ id: join.id, method: 'DELETE', body: undefined }]);
});

test('OUTBOX-6 values of an unsent data call merge by field, but not past a transition', () => {
  const data = call('entry-data', { body: { fields: { 1: 'a', 2: 'b' }, at: 1 } });
  const joined = coalesce([data], call('entry-data', { body: { fields: { 2: 'c', 3: 'd' }, at: 2 } }));
  expect(joined.result).toMatchObject({ id: data.id, body: { fields: { 1: 'a', 2: 'c', 3: 'd' }, at: 2 } });
  const later = call('entry-data', { body: { fields: { 1: 'z' } } });
  expect(coalesce([data, call('entry-move')], later).put).toEqual([later]);
});

test('OUTBOX-34 a value does not replace a refused one for another field with the same number', () => {
  const value = (guid: string, text: string, change: Partial<OutboxCall> = {}) =>
    call('entry-data', {
      body: { fields: { 28: text } },
      context: {
        guideid: '1',
        workorderid: 'WO-7',
        'value:28': { data: { field_revisionid: 28, field_guid: guid, value: text } },
      },
      ...change,
    });
  const refused = value('Torque', '12.5', { state: 'parked' });
  const other = value('Gap', '0.3');
  expect(coalesce([refused], other).put).toEqual([other]);
  const again = coalesce([refused], value('Torque', '13'));
  expect(again.put).toMatchObject([{ id: refused.id, body: { fields: { 28: '13' } } }]);
});

test('OUTBOX-3 temporary ids become numbers in bodies, text in paths and form values; keys of steps stay', () => {
  const one = call('entry-data', {
    path: '/guides/tmp:aaaaaaaa/x',
    query: { guideid: 'tmp:aaaaaaaa' },
    body: {
      image: 'tmp:aaaaaaaa',
      fields: { 7: 'tmp:aaaaaaaa' },
      steps: [{ key: 'tmp:bbbbbbbb' }],
      other: 'tmp:cccccccc',
    },
  });
  expect(one.needs).toEqual(['aaaaaaaa', 'cccccccc']);
  const real = withRealIds(one, (id) => (id === 'tmp:aaaaaaaa' ? '61' : undefined));
  expect(real).toMatchObject({
    path: '/guides/61/x',
    query: { guideid: '61' },
    body: { image: 61, fields: { 7: '61' }, steps: [{ key: 'tmp:bbbbbbbb' }], other: 'tmp:cccccccc' },
  });
});

const states = fc.constantFrom<OutboxCall['state']>(
  'queued',
  'queued',
  'queued',
  'sending',
  'parked',
  'conflict',
  'done',
);
const randomCalls = fc
  .array(
    fc.record({
      lane: fc.constantFrom('a', 'b', 'c'),
      state: states,
      waits: fc.integer({ min: 0, max: 3 }),
      needs: fc.option(fc.nat(9)),
      previous: fc.boolean(),
    }),
    { maxLength: 10 },
  )
  .map((plans) => {
    const calls: OutboxCall[] = [];
    for (const [index, { lane, state, waits, needs, previous }] of plans.entries()) {
      const needed = needs === null ? undefined : calls[needs];
      const body = needed === undefined ? {} : { ref: `tmp:${needed.id}` };
      const query: Record<string, string> = previous ? { revisionid: 'previous' } : {};
      calls.push(
        call('comment-add', { lane, state, nextTryAt: waits === 0 ? 100 : 0, body, query, order: index }),
      );
    }
    return calls;
  });

test('OUTBOX-3 each lane sends only an unbroken prefix, and nothing before its dependencies', () => {
  fc.assert(
    fc.property(randomCalls, (calls) => {
      const leaving = new Set(nextBatch(new CallIndex(calls), 50).calls.map(({ id }) => id));
      const open = calls.filter(({ state }) => state !== 'done');
      for (const one of open) {
        if (!leaving.has(one.id)) continue;
        expect(one.state).toBe('queued');
        const before = open.filter(({ lane, order }) => lane === one.lane && order < one.order);
        expect(before.every(({ id }) => leaving.has(id))).toBe(true);
        if (one.query['revisionid'] === 'previous') expect(before).toEqual([]);
        expect(open.some(({ id }) => one.needs.includes(id))).toBe(false);
      }
    }),
  );
});

test('OUTBOX-3 lanes do not wait for each other, and every call that can be sent is', () => {
  fc.assert(
    fc.property(randomCalls, (calls) => {
      const { calls: leaving } = nextBatch(new CallIndex(calls), 50);
      const open = calls.filter(({ state }) => state !== 'done');
      for (const lane of ['a', 'b', 'c']) {
        const first = open.find((one) => one.lane === lane);
        const canLeave =
          first?.state === 'queued' &&
          first.nextTryAt <= 50 &&
          !open.some(({ id }) => first.needs.includes(id));
        expect(leaving.some((one) => one === first)).toBe(first !== undefined && canLeave);
      }
    }),
  );
});
