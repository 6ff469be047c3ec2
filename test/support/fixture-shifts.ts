import type { ShiftSummaryView, ShiftTeam } from '#desktop/engine/api/shift-records.ts';
import type { AreaActions } from '#desktop/engine/areas/index.ts';
import type { ShiftSummary } from '#shared/model/shift-summaries.ts';

import { minute } from './demo-orders.ts';
import type { World } from './fixture-world.ts';

type ShiftActions = Pick<AreaActions, 'makeShiftSummary'>;

const iso = (at: number): string => new Date(at).toISOString();

/** One summary of the early shift, with everything that a summary may have. */
export function demoShifts(): ShiftSummaryView[] {
  const to = new Date().setHours(14, 0, 0, 0) - 24 * 60 * minute;
  const from = to - 480 * minute;
  const note =
    'The press at station 4 loses pressure: check it before the first order.\nTwo covers are reworked.';
  const summary: ShiftSummary = {
    format: 'benchbook-shift-summary',
    version: 1,
    team: { teamid: 3, name: 'Line B' },
    from: iso(from),
    to: iso(to),
    computed: iso(to + 3 * minute),
    made_by: { userid: 9103, name: 'Mira Holm' },
    note,
    people: [
      { userid: 9101, name: 'Ana Ruiz' },
      { userid: 9102, name: 'Ben Okafor' },
      { userid: 9103, name: 'Mira Holm' },
    ],
    orders: [
      {
        entryid: 503,
        workorderid: 'WO-1037',
        guideid: 9001,
        guide_title: 'Bench Grinder Drive Belt Replacement',
        status: 'complete',
        userid: 9102,
        started: iso(from + 10 * minute),
        ended: iso(from + 95 * minute),
        duration: 82 * 60,
        handover: null,
      },
      {
        entryid: 504,
        workorderid: 'WO-1042',
        guideid: 9002,
        guide_title: 'Wheel dressing',
        status: 'suspended',
        userid: 9101,
        started: iso(from + 240 * minute),
        ended: null,
        duration: 135 * 60,
        handover: 'The new pulley arrives at 15:00. Steps 1 to 3 are done.',
      },
      {
        entryid: 509,
        workorderid: 'WO-1050',
        guideid: 9004,
        guide_title: null,
        status: 'started',
        userid: 9102,
        started: iso(to - 40 * minute),
        ended: null,
        duration: 40 * 60,
        handover: null,
      },
    ],
    values: [
      {
        entryid: 504,
        workorderid: 'WO-1042',
        label: 'Belt deflection',
        stepid: 90009,
        value: '9.9',
        limits: { min: 3, max: 4 },
        unit: 'mm',
        userid: 9101,
        at: iso(to - 100 * minute),
      },
    ],
    deviations: {
      raised: 2,
      decided: 1,
      open: 1,
      list: [
        {
          deviationid: 311,
          entryid: 504,
          workorderid: 'WO-1042',
          title: 'Belt deflection',
          userid: 9101,
          reported: iso(to - 99 * minute),
          decision: null,
        },
        {
          deviationid: 309,
          entryid: 503,
          workorderid: 'WO-1037',
          title: 'Cover undamaged',
          userid: 9102,
          reported: iso(from + 90 * minute),
          decision: {
            disposition: 'rework',
            reason: 'Smooth the edge and paint it.',
            userid: 9103,
            at: iso(from + 120 * minute),
          },
        },
      ],
    },
    times: [
      { userid: 9101, duration: 135 * 60, orders: 1 },
      { userid: 9102, duration: 122 * 60, orders: 2 },
    ],
    planned: {
      open: 2,
      late: 1,
      list: [
        {
          planned_orderid: 71,
          workorderid: 'WO-1101',
          guideid: 9001,
          userid: 9101,
          status: 'open',
          due: iso(to - 90 * minute),
          late: true,
        },
        {
          planned_orderid: 72,
          workorderid: 'WO-1102',
          guideid: 9001,
          userid: null,
          status: 'open',
          due: null,
          late: false,
        },
      ],
    },
  };
  return [
    {
      shift_summaryid: '41',
      teamName: 'Line B',
      from,
      to,
      madeBy: 'Mira Holm',
      note,
      computed: to + 3 * minute,
      record: { shift_summaryid: 41, teamid: 3, sha256: '5f'.repeat(32), summary },
      isSealed: true,
    },
  ];
}

/** The teams of the fixture's person: one for a lead. */
export function shiftTeams({ isLead, shifts }: World): ShiftTeam[] {
  return isLead ? [{ teamid: 3, name: 'Line B', lastEnd: shifts[0]?.to ?? null }] : [];
}

/** The engine's actions on shift summaries, in the fixture's world. */
export function shiftActions(
  change: (make: (now: World) => Partial<World>) => void,
  newId: () => string,
): ShiftActions {
  return {
    async makeShiftSummary({ from, to, note }) {
      const made: ShiftSummaryView = {
        shift_summaryid: newId(),
        teamName: 'Line B',
        from,
        to,
        madeBy: 'Ana Ruiz',
        note,
        computed: null,
        record: null,
        isSealed: false,
      };
      change(({ shifts }) => ({ shifts: [made, ...shifts] }));
      return made.shift_summaryid;
    },
  };
}
