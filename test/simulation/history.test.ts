import fc from 'fast-check';
import { expect, test } from 'vitest';

import { isLongRun, runs } from '#test/support/long-run.ts';

import { flawsOf } from './history/check.ts';
import { contradictionOf } from './history/linearizable.ts';
import type { Operation, UnknownSave } from './history/operation.ts';
import { playHistory, type History } from './history/play.ts';
import { plantedFaults } from './history/planted-faults.ts';
import { startKillableServer } from './history/server.ts';
import { regressionsOf } from './history/session-order.ts';
import { Dice } from './random.ts';

const first = { revisionid: 1, text: 'first text' };
const timeout = 7_200_000;

test(
  'HISTORY-1 HISTORY-2 HISTORY-3 HISTORY-6 the calls and responses of API clients fit one order, with kills and lost responses',
  { timeout },
  async () => {
    using server = await startKillableServer();
    const history = await playHistory(
      server,
      isLongRun
        ? { seed: 1, clients: 8, operations: 20_000, kills: 200 }
        : { seed: 1, clients: 8, operations: 1000, kills: 1 },
    );
    expect(flawsOf(history)).toEqual([]);
    expect(countOf(history)).toBeGreaterThan(isLongRun ? 50_000 : 2000);
  },
);

function countOf({ operations }: History): number {
  return [...operations.values()].reduce((sum, own) => sum + own.length, 0);
}

const quick = ['guide-revision-ignored'];
const planted = plantedFaults.filter(({ name }) => isLongRun || quick.includes(name));

test.each(planted)('HISTORY-5 the history shows: $breaks', { timeout }, async (fault) => {
  for (let seed = 1; seed <= 5; seed += 1) {
    using server = await startKillableServer(fault);
    const history = await playHistory(server, {
      seed,
      clients: 8,
      operations: 800,
      kills: fault.name === 'answered-before-commit' ? 6 : 0,
    });
    if (flawsOf(history).length > 0) return;
  }
  expect.unreachable('Nothing was noticed');
});

/** Whether some order explains the operations, by trying every order. */
function isExplained(operations: readonly Operation[]): boolean {
  const answered = operations.filter(({ kind }) => kind !== 'unknown');
  const unknown = operations.filter((one): one is UnknownSave => one.kind === 'unknown');
  const subsets = unknown.reduce<UnknownSave[][]>(
    (sets, one) => [...sets, ...sets.map((set) => [...set, one])],
    [[]],
  );
  return subsets.some((effective) => orders([...answered, ...effective]).some(fits));
}

function orders(left: readonly Operation[]): Operation[][] {
  if (left.length === 0) return [[]];
  return left.flatMap((one, index) => {
    const others = left.toSpliced(index, 1);
    // An operation that ended before this one began comes first.
    if (others.some(({ end }) => end < one.start)) return [];
    return orders(others).map((order) => [one, ...order]);
  });
}

/**
 * Whether a record would respond like that, one operation after the other; an unknown revision can be any in between.
 */
function fits(order: readonly Operation[]): boolean {
  let { text } = first;
  let lowest = first.revisionid;
  let told: number | null = first.revisionid;
  for (const one of order) {
    if (one.kind === 'save' || one.kind === 'unknown') {
      if (told !== one.expected) return false;
      const made = one.kind === 'save' ? one.saved.revisionid : null;
      if (made !== null && made <= told) return false;
      lowest = told + 1;
      told = made;
      text = one.kind === 'save' ? one.saved.text : one.text;
    } else {
      const { seen } = one;
      if (one.kind === 'refusal' && one.expected === seen.revisionid) return false;
      if (seen.text !== text || seen.revisionid < lowest || (told !== null && told !== seen.revisionid))
        return false;
      told = seen.revisionid;
    }
  }
  return true;
}

/** Operations that clients could record, many of them impossible. */
const noted = fc
  .array(
    fc.record({
      kind: fc.constantFrom('read', 'save', 'refusal', 'unknown'),
      start: fc.integer({ min: 0, max: 12 }),
      lasts: fc.integer({ min: 1, max: 6 }),
      expected: fc.integer({ min: 1, max: 3 }),
      revisionid: fc.integer({ min: 1, max: 4 }),
      text: fc.constantFrom('first text', 'a', 'b', 'c'),
    }),
    { maxLength: 5 },
  )
  .map((all) =>
    all.map(({ kind, start, lasts, expected, revisionid, text }, index): Operation => {
      const common = { client: index, start: start + index / 10, end: start + lasts + index / 10 };
      if (kind === 'unknown') return { ...common, kind, end: Infinity, expected, text };
      if (kind === 'save') return { ...common, kind, expected, saved: { revisionid, text } };
      if (kind === 'refusal') return { ...common, kind, expected, seen: { revisionid, text } };
      return { ...common, kind: 'read', seen: { revisionid, text }, via: 'read' };
    }),
  );

test('HISTORY-4 the search agrees with trying every order', () => {
  fc.assert(
    fc.property(noted, (operations) => {
      expect(contradictionOf(operations, first) === null).toBe(isExplained(operations));
    }),
    { numRuns: runs(20_000) },
  );
});

/** The records of eight clients of one record that executes calls one after the other, at a moment within each call. */
function possibleHistory(seed: number, length: number): Operation[] {
  const dice = new Dice(seed);
  let version = first;
  let told = first.revisionid;
  let moment = 0;
  const freeFrom = Array.from({ length: 8 }, () => 0);
  return Array.from({ length }, (_, index): Operation => {
    const client = dice.below(8);
    const freed = freeFrom[client] ?? 0;
    moment = Math.max(moment + 1, freed + 1);
    const start = Math.max(freed, moment - dice.below(20));
    const end = moment + dice.below(20) + 0.25;
    freeFrom[client] = end + 0.5;
    const common = { client, start, end };
    if (dice.chance(0.5)) {
      told = version.revisionid;
      return { ...common, kind: 'read', seen: version, via: 'read' };
    }
    // The revision of a save without a response is unknown until a client receives it.
    const expected = dice.chance(0.7) ? told : told - 1;
    const text = `text ${index}`;
    const unknown: Operation = { ...common, kind: 'unknown', end: Infinity, expected, text };
    const isLost = dice.chance(0.1);
    if (isLost && dice.chance(0.5)) return unknown;
    if (expected === version.revisionid) {
      version = { revisionid: expected + 1 + dice.below(3), text };
      if (isLost) return unknown;
      told = version.revisionid;
      return { ...common, kind: 'save', expected, saved: version };
    }
    if (isLost) return unknown;
    told = version.revisionid;
    return { ...common, kind: 'refusal', expected, seen: version };
  });
}

test('HISTORY-4 the search accepts long histories of a record with one writer at a time, and refuses them with one stale read', () => {
  for (let seed = 1; seed <= runs(40); seed += 1) {
    const operations = possibleHistory(seed, 2000);
    expect(contradictionOf(operations, first)).toBeNull();
    const last = Math.max(...operations.map(({ end }) => (end === Infinity ? 0 : end)));
    const stale: Operation = {
      kind: 'read',
      client: 9,
      start: last + 1,
      end: last + 2,
      seen: first,
      via: 'read',
    };
    expect(contradictionOf([...operations, stale], first)).toMatchObject({ stuck: [stale] });
  }
});

test('HISTORY-2 a client that receives less than it knew is named, with the responsible call', () => {
  const read = (client: number, start: number, revisionid: number, via: string): Operation => ({
    kind: 'read',
    client,
    start,
    end: start + 1,
    seen: { revisionid, text: `text ${revisionid}` },
    via,
  });
  expect(regressionsOf([read(1, 1, 5, 'read'), read(2, 3, 4, 'list'), read(1, 3, 4, 'list')])).toEqual([
    { client: 1, known: 5, told: 4, via: 'list' },
  ]);
});
