import fc from 'fast-check';
import { expect, test } from 'vitest';

import { byOrder, CallIndex } from '#desktop/engine/outbox/calls.ts';
import { idsCreatedBy } from '#desktop/engine/sync/temporary-ids.ts';
import type { CallState, OutboxCall } from '#desktop/engine/platform/ports.ts';
import { queuedCall } from '#test/desktop/engine/support/queued-call.ts';

const ids = ['a', 'b', 'c', 'd', 'e'];
const states: CallState[] = ['queued', 'sending', 'done', 'parked', 'conflict'];

const calls = fc
  .record({
    id: fc.constantFrom(...ids),
    lane: fc.constantFrom('one', 'two'),
    state: fc.constantFrom(...states),
    order: fc.integer({ min: -3, max: 5 }),
    target: fc.constantFrom('1', '2'),
    needs: fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 2 }),
    key: fc.option(fc.constantFrom('step', 'other')),
    hasFile: fc.boolean(),
  })
  .map(({ id, lane, state, order, target, needs, key, hasFile }) =>
    queuedCall({
      kind: 'guide-save',
      id,
      lane,
      state,
      order,
      needs,
      target: { collection: 'guides', id: target },
      body: key === null ? {} : { steps: [{ key: `tmp:${key}` }] },
      fileId: hasFile ? id : null,
    }),
  );

const changes = fc.array(
  fc.record({
    put: fc.uniqueArray(calls, { maxLength: 3, selector: ({ id }) => id }),
    drop: fc.array(fc.constantFrom(...ids), { maxLength: 2 }),
  }),
  { maxLength: 12 },
);

test('OUTBOX-40 after any additions and removals, the index finds what a search of all calls finds', () => {
  fc.assert(
    fc.property(changes, (steps) => {
      const index = new CallIndex();
      const plain = new Map<string, OutboxCall>();
      const found = (isWanted: (call: OutboxCall) => boolean): Set<OutboxCall> =>
        new Set([...plain.values()].filter(isWanted));
      for (const { put, drop } of steps) {
        index.apply(put, drop);
        for (const id of drop) plain.delete(id);
        for (const call of put) plain.set(call.id, call);
        expect(new Set(index)).toEqual(new Set(plain.values()));
        expect(index.size).toBe(plain.size);
        expect([...index]).toEqual([...index].toSorted(byOrder));
        expect(index.copy()).toEqual([...index]);
        for (const lane of ['one', 'two']) {
          const lined = index.inLane(lane);
          expect(new Set(lined)).toEqual(found((call) => call.lane === lane));
          expect(lined).toEqual(lined.toSorted(byOrder));
        }
        for (const state of states)
          expect(new Set(index.inState(state))).toEqual(found((call) => call.state === state));
        for (const target of ['1', '2'])
          expect(new Set(index.about('guides', target))).toEqual(found((call) => call.target.id === target));
        for (const id of [...ids, 'step', 'other']) {
          expect(index.get(id)).toBe(plain.get(id));
          expect(new Set(index.needing(id))).toEqual(found(({ needs }) => needs.includes(id)));
          const makers = found((call) => call.state !== 'done' && idsCreatedBy(call).includes(id));
          const maker = index.makerOf(id);
          expect(maker === undefined ? makers.size === 0 : makers.has(maker)).toBe(true);
        }
        expect(new Set(index.withFile())).toEqual(found(({ fileId }) => fileId !== null));
      }
    }),
  );
});

test('OUTBOX-40 two calls with the same order are both kept', () => {
  const [first, second] = ['a', 'b'].map((id) => queuedCall({ kind: 'favorite', id, order: 7 }));
  const index = new CallIndex([first, second].filter((call) => call !== undefined));
  index.apply([], ['a']);
  expect([...index]).toEqual([second]);
});
