import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { EntryFacts, EntryStatus, Moment } from '#shared/model/work-log.ts';
import {
  appendEvent,
  canMove,
  foldEntry,
  moveRefusal,
  type EntryMove,
  type NewEvent,
} from '#shared/rules/work-log.ts';

const ana = 1;
const ben = 2;
const eight = Date.UTC(2026, 2, 2, 8);
const moves: EntryMove[] = ['step', 'data', 'pause', 'resume', 'suspend', 'assume', 'finish', 'cancel'];

function blankEntry(): EntryFacts {
  return {
    entryid: 1,
    guideid: 1,
    workorderid: 'WO-1',
    guide_revisionid: 1,
    max_form_revisionid: 0,
    handoffid: null,
    events: [],
    images: [],
  };
}

function started(moment?: Moment, now = eight): EntryFacts {
  return appendEvent(blankEntry(), { type: 'start', userid: ana, moment }, now);
}

/** Appends transitions that arrive at their own time, without a device's reading. */
function after(entry: EntryFacts, ...steps: [EntryMove, number, Partial<NewEvent>?][]): EntryFacts {
  return steps.reduce(
    (facts, [type, seconds, more]) =>
      appendEvent(facts, { type, userid: ana, ...more }, eight + seconds * 1000),
    entry,
  );
}

describe('moves of an entry', () => {
  it('follow the table of states', () => {
    const allowed = Object.fromEntries(
      (['started', 'paused', 'suspended', 'complete', 'cancelled'] satisfies EntryStatus[]).map((status) => [
        status,
        moves.filter((move) => canMove(status, move)),
      ]),
    );
    expect(allowed).toEqual({
      started: ['step', 'data', 'pause', 'suspend', 'finish', 'cancel'],
      paused: ['data', 'resume', 'suspend', 'finish', 'cancel'],
      suspended: ['assume'],
      complete: [],
      cancelled: [],
    });
  });

  it('make a new holder by assuming, and a second assumer loses', () => {
    const assumed = after(started(), ['suspend', 10], ['assume', 20, { userid: ben }]);
    expect(foldEntry(assumed)).toMatchObject({ status: 'started', userid: ben, participants: [ana, ben] });
    expect(moveRefusal(assumed, 'assume', 3)).toBe('conflict');
    expect(moveRefusal(assumed, 'pause', ana)).toBe('conflict');
    expect(moveRefusal(assumed, 'pause', ben)).toBeNull();
    expect(moveRefusal(assumed, 'resume', ben)).toBe('invalid');
  });

  it('are conflicts only when another person made them impossible', () => {
    const paused = after(started(), ['pause', 10]);
    expect(moveRefusal(paused, 'pause', ana)).toBe('invalid');
    const finishedByAdmin = after(paused, ['finish', 20, { userid: 9 }]);
    expect(moveRefusal(finishedByAdmin, 'resume', ana)).toBe('conflict');
    expect(moveRefusal(paused, 'resume', 9, true)).toBeNull();
  });

  it('that are illegal never change the state, in any history', () => {
    fc.assert(
      fc.property(history(), ({ facts, now }) => {
        const before = foldEntry(facts);
        for (const type of moves) {
          const next = appendEvent(facts, { type, userid: ben }, now);
          if (canMove(before.status, type)) expect(next.events).toHaveLength(facts.events.length + 1);
          else expect(next).toBe(facts);
        }
      }),
    );
  });
});

describe('timing of an entry', () => {
  it('counts active and paused time separately, and the time of each step', () => {
    const entry = after(
      started({ stepid: 11 }),
      ['step', 60, { moment: { stepid: 12 } }],
      ['pause', 90],
      ['resume', 120],
      ['finish', 130],
    );
    expect(foldEntry(entry)).toMatchObject({
      status: 'complete',
      duration: 130,
      active_duration: 100,
      pause_duration: 30,
      active_stepid: null,
      step_durations: [
        { stepid: 11, duration: 60 },
        { stepid: 12, duration: 40 },
      ],
      starttime: eight / 1000,
      endtime: eight / 1000 + 130,
      time_adjusted: false,
    });
  });

  it('makes the active step inactive on pause and active again on resume and on assume', () => {
    const entry = started({ stepid: 11 });
    expect(foldEntry(after(entry, ['pause', 5])).active_stepid).toBeNull();
    expect(foldEntry(after(entry, ['pause', 5], ['resume', 6])).active_stepid).toBe(11);
    expect(foldEntry(after(entry, ['suspend', 5], ['assume', 6, { userid: ben }])).active_stepid).toBe(11);
  });

  it('counts an open entry up to the requested moment, also while paused', () => {
    const entry = after(started(), ['pause', 10]);
    expect(foldEntry(entry)).toMatchObject({ duration: 10, pause_duration: 0 });
    expect(foldEntry(entry, eight + 70_000)).toMatchObject({
      duration: 70,
      active_duration: 10,
      pause_duration: 60,
    });
  });

  it('uses the monotonic clock within a page session, whatever the wall clock does', () => {
    const begun = started({ at: eight, mono: 1000, session: 's' });
    const finished = appendEvent(
      begun,
      { type: 'finish', userid: ana, moment: { at: eight - 3_600_000, mono: 601_000, session: 's' } },
      eight + 900_000,
    );
    expect(foldEntry(finished)).toMatchObject({
      duration: 600,
      endtime: eight / 1000 + 600,
      time_adjusted: false,
    });
  });

  it('corrects the wall clock by the offset across sessions and marks it', () => {
    const begun = started({ at: eight - 60_000, offset: 60_000, mono: 1000, session: 's' });
    const finished = appendEvent(
      begun,
      { type: 'finish', userid: ana, moment: { at: eight + 240_000, offset: 60_000, mono: 5, session: 't' } },
      eight + 900_000,
    );
    expect(foldEntry(finished)).toMatchObject({ duration: 300, time_adjusted: true });
  });

  it('marks nothing where the clocks agree, even if the page was reopened in between', () => {
    const begun = started({ at: eight, offset: 20, mono: 1000, session: 's' });
    const finished = appendEvent(
      begun,
      { type: 'finish', userid: ana, moment: { at: eight + 300_000, offset: 20, mono: 5, session: 't' } },
      eight + 900_000,
    );
    expect(foldEntry(finished)).toMatchObject({ duration: 300, time_adjusted: false });
  });

  it('clamps and flags a clock that runs ahead, and keeps the measured duration', () => {
    const begun = started({ at: eight + 7_200_000, mono: 0, session: 's' });
    const finished = appendEvent(
      begun,
      { type: 'finish', userid: ana, moment: { at: eight + 9_000_000, mono: 1_800_000, session: 's' } },
      eight + 1000,
    );
    expect(begun.events[0]).toMatchObject({ at: eight, adjusted: true });
    expect(foldEntry(finished)).toMatchObject({
      duration: 1800,
      endtime: eight / 1000 + 1,
      time_adjusted: true,
    });
  });

  it('is never negative and adds up, however skewed the clocks are', () => {
    fc.assert(
      fc.property(history(), fc.integer({ min: -1e9, max: 1e9 }), ({ facts, now }, later) => {
        const folded = foldEntry(facts, now + later);
        const times = [folded.duration, folded.active_duration, folded.pause_duration, folded.activeMs];
        for (const time of [...times, ...folded.step_durations.map((step) => step.duration)]) {
          expect(time).toBeGreaterThanOrEqual(0);
        }
        if (folded.wasSuspended)
          expect(folded.active_duration + folded.pause_duration).toBeLessThanOrEqual(folded.duration);
        else expect(folded.active_duration + folded.pause_duration).toBe(folded.duration);
        const inSteps = folded.step_durations.reduce((sum, step) => sum + step.duration, 0);
        expect(inSteps).toBeLessThanOrEqual(folded.active_duration);
        const ats = facts.events.map((event) => event.at);
        expect(ats).toEqual(ats.toSorted((a, b) => a - b));
      }),
    );
  });

  it('is the same whether calls arrive one by one or late and together', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...moves), fc.integer({ min: 0, max: 1e7 })), { maxLength: 20 }),
        (list) => {
          const end = eight + list.reduce((sum, [, wait]) => sum + wait, 0);
          expect(foldEntry(played(list, (at) => at))).toEqual(
            foldEntry(played(list, () => end + 86_400_000)),
          );
        },
      ),
    );
  });
});

/** Plays transitions measured by one device with a correct clock; `arrival` gives the time of each at the server. */
function played(list: [EntryMove, number][], arrival: (at: number) => number): EntryFacts {
  let at = eight;
  const moment = (): Moment => ({ at, mono: at - eight, session: 's', stepid: (at % 3) + 1 });
  let facts = appendEvent(blankEntry(), { type: 'start', userid: ana, moment: moment() }, arrival(at));
  for (const [type, wait] of list) {
    at += wait;
    facts = appendEvent(facts, { type, userid: ana, moment: moment() }, arrival(at));
  }
  return facts;
}

/** Any history of transitions by two people, with readings of any quality. */
function history(): fc.Arbitrary<{ facts: EntryFacts; now: number }> {
  const reading = fc.record(
    {
      at: fc.integer({ min: 0, max: 4e12 }),
      mono: fc.integer({ min: 0, max: 1e9 }),
      session: fc.constantFrom('s', 't'),
      offset: fc.integer({ min: -1e9, max: 1e9 }),
      stepid: fc.integer({ min: 1, max: 4 }),
    },
    { requiredKeys: [] },
  );
  const event = fc.record({
    type: fc.constantFrom(...moves),
    userid: fc.constantFrom(ana, ben),
    moment: reading,
    wait: fc.integer({ min: -1000, max: 1e7 }),
  });
  return fc.tuple(reading, fc.array(event, { maxLength: 25 })).map(([first, events]) => {
    let now = eight;
    let facts = started(first, now);
    for (const { wait, ...one } of events) {
      now += wait;
      facts = appendEvent(facts, one, now);
    }
    return { facts, now };
  });
}
