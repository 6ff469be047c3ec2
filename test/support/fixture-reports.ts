import type { DeviationRow, DurationRow, NumberValue, ReportActions } from '#desktop/engine/api/reports.ts';
import { Problem } from '#shared/api/problem.ts';

import type { World } from './fixture-world.ts';

const guides: [id: number, name: string, count: number, median: number][] = [
  [9001, 'Bench Grinder Drive Belt Replacement', 64, 41],
  [9002, 'Wheel dressing', 38, 18],
  [9003, 'Rototiller Carburetor Cleaning', 21, 66],
  [9004, 'Brick press: monthly inspection', 12, 27],
  [9005, 'Compressor oil change', 9, 22],
];
const people: [id: number, name: string, count: number, median: number][] = [
  [9101, 'Ana Ruiz', 61, 34],
  [9102, 'Ben Okafor', 52, 39],
  [9103, 'Mira Holm', 31, 29],
];
const steps: [id: number, name: string, count: number, median: number][] = [
  [90_001, 'Unplug and secure the grinder', 64, 2],
  [90_002, 'Remove the belt guard', 64, 6],
  [90_003, '', 63, 4],
  [90_004, 'Tension the new belt', 64, 14],
  [90_005, 'Check the run', 60, 5],
];

function durations(
  rows: readonly (readonly [number, string, number, number])[],
  areSteps = false,
): DurationRow[] {
  return rows.map(([id, name, count, median], place) => ({
    id,
    name: areSteps ? '' : name,
    step: areSteps ? { number: place + 1, title: name } : null,
    count,
    median: median * 60,
    p90: Math.round(median * 60 * (1.35 + place * 0.1)),
    total: Math.round(count * median * 62),
  }));
}

const blank: Omit<DeviationRow, 'count'> = { kind: null, guideTitle: '', step: null, label: null };
const title = 'Bench Grinder Drive Belt Replacement';
const deviations = {
  kind: [
    { ...blank, count: 19, kind: 'out-of-limits' },
    { ...blank, count: 9, kind: 'missing' },
    { ...blank, count: 6, kind: 'reported' },
    { ...blank, count: 3, kind: 'failed' },
  ],
  guide: [
    { ...blank, count: 24, guideTitle: title },
    { ...blank, count: 9, guideTitle: 'Wheel dressing' },
    { ...blank, count: 4, guideTitle: '' },
  ],
  step: [
    { ...blank, count: 21, guideTitle: title, step: { number: 4, title: 'Tension the new belt' } },
    { ...blank, count: 10, guideTitle: title, step: { number: 5, title: 'Check the run' } },
    { ...blank, count: 6, guideTitle: 'Wheel dressing', step: { number: null, title: '' } },
  ],
  field: [
    { ...blank, count: 19, guideTitle: title, label: 'Belt tension' },
    { ...blank, count: 12, guideTitle: title, label: 'Lot of the belt' },
    { ...blank, count: 6, guideTitle: 'Wheel dressing' },
  ],
} satisfies Record<string, DeviationRow[]>;

/** Forty belt tensions with one far out. The noise is the same at every start. */
function tensions(): NumberValue[] {
  const start = Date.UTC(2026, 9, 26, 8) / 1000;
  return Array.from({ length: 40 }, (_, place) => {
    const noise = Math.sin(place * 12.9898) * 43_758.5453;
    const value = place === 27 ? 4.45 : 3.5 + (noise - Math.floor(noise) - 0.5) * 0.6;
    return {
      entryid: 501 + place,
      workorderid: `WO-${1100 + place}`,
      userid: 9101,
      username: place % 3 === 0 ? 'Ben Okafor' : 'Ana Ruiz',
      at: start + place * 19 * 3600,
      value: Math.round(value * 100) / 100,
      min: 3,
      max: 4,
    };
  });
}

/** Reports of the fixture's world; without a connection they are refused, as by the engine. */
export function reportActions(world: () => World): ReportActions {
  const ask = (): number => {
    if (world().sync.connection === 'offline')
      throw new Problem('unavailable', 'This needs the server, which cannot be reached now');
    return world().orders.length === 0 ? 0 : 144;
  };
  const only = <Row>(rows: readonly Row[]): { orders: number; more: false; rows: readonly Row[] } => {
    const orders = ask();
    return { orders, more: false, rows: orders === 0 ? [] : rows };
  };
  return {
    async reportDurations({ userid }, by) {
      const rows =
        by === 'guide' ? durations(guides) : by === 'person' ? durations(people) : durations(steps, true);
      return only(by === 'person' && userid !== undefined ? rows.filter(({ id }) => id === userid) : rows);
    },
    async reportYield() {
      const rows = guides.map(([guideid, guideTitle, counted], place) => ({
        guideid,
        guideTitle,
        counted,
        passed: Math.round(counted * (0.78 + place * 0.05)),
      }));
      const passed = rows.reduce((sum, row) => sum + row.passed, 0);
      const found = only(rows);
      return { ...found, counted: found.orders, passed: found.orders === 0 ? 0 : passed };
    },
    async reportDeviations(_wish, by) {
      const found = only<DeviationRow>(deviations[by]);
      return { ...found, total: found.rows.reduce((sum, { count }) => sum + count, 0) };
    },
    numberFields: async () =>
      only([
        {
          field_guid: 'field-1',
          guideid: 9001,
          guideTitle: title,
          stepid: 90_004,
          label: 'Belt tension',
          unit: 'N',
          count: 40,
        },
        {
          field_guid: 'field-2',
          guideid: 9002,
          guideTitle: 'Wheel dressing',
          stepid: 90_011,
          label: 'Run-out',
          unit: 'mm',
          count: 12,
        },
      ]),
    async reportNumbers(_wish, field) {
      const { orders, more, rows } = only(field === 'field-1' ? tensions() : []);
      return { orders, label: 'Belt tension', unit: 'N', more, values: rows };
    },
  };
}
