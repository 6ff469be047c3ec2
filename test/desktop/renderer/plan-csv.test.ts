import { expect, test } from 'vitest';

import { readPlans } from '#desktop/renderer/screens/planned/plan-csv.ts';
import { readDue } from '#desktop/renderer/screens/planned/plan-form.ts';

const names = {
  guides: [
    { guideid: '61', title: 'Drive Belt' },
    { guideid: '62', title: 'Wheel dressing' },
    { guideid: '63', title: 'Wheel dressing' },
  ],
  releases: [
    { releaseid: 5, title: 'v2.0', guideid: '61', revision: { guide_revisionid: 8, form_revisionid: 0 } },
  ],
  targets: {
    people: [
      { userid: 7, username: 'Ana Ruiz' },
      { userid: 8, username: 'Ben' },
      { userid: 9, username: 'Ben' },
    ],
    teams: [{ teamid: 3, name: 'Line B' }],
  },
};
const blank = { release: null, due: null, priority: 'normal', serials: [], note: '', rrule: null };

test('PLANNED-9 rows of a CSV file become plans, whatever the separator and the order of the columns', () => {
  const csv = [
    'Guide,Release,Number,Person,Team,Due,Priority,Serials,Note',
    'drive belt,V2.0,WO-1,ana ruiz,,2026-12-01 14:30,HIGH,"S-1, S-2","Says ""soon"""',
    '62,,WO-2,,Line B,,,,',
  ].join('\r\n');
  const [first, second] = readPlans(`\uFEFF${csv}`, names).rows;
  expect(first?.plan).toEqual({
    guideid: '61',
    release: { releaseid: 5, title: 'v2.0' },
    workorderid: 'WO-1',
    assignee: { kind: 'person', id: 7 },
    due: new Date(2026, 11, 1, 14, 30).getTime(),
    priority: 'high',
    serials: ['S-1', 'S-2'],
    note: 'Says "soon"',
    rrule: null,
  });
  const ofTeam = { ...blank, guideid: '62', workorderid: 'WO-2', assignee: { kind: 'team', id: 3 } };
  expect(second?.plan).toEqual(ofTeam);
  const german = readPlans('number;team;guide\nWO-2;line b;62', names);
  expect(german.rows[0]?.plan).toEqual(ofTeam);
});

test('PLANNED-9 each row of a CSV file says what is wrong with it, and the others are planned', () => {
  const csv = [
    'number,guide,person,team,due,priority,release',
    ',Drive Belt,Ana Ruiz,,,',
    'WO-2,Gearbox,Ana Ruiz,,,',
    'WO-3,Wheel dressing,Ana Ruiz,,,',
    'WO-4,Drive Belt,,,,',
    'WO-5,Drive Belt,Ana Ruiz,Line B,,',
    'WO-6,Drive Belt,Eve,,,',
    'WO-7,Drive Belt,Ben,,,',
    'WO-8,Drive Belt,Ana Ruiz,,2026-02-30,',
    'WO-9,Drive Belt,Ana Ruiz,,2026-12-01,urgent',
    'WO-10,Drive Belt,Ana Ruiz,,2026-12-01 25:00,',
    'WO-11,Drive Belt,Ana Ruiz,,2026-12-01,low',
    'WO-12,62,Ana Ruiz,,,,v2.0',
  ].join('\n');
  const { rows } = readPlans(csv, names);
  expect(rows.map(({ line, errors }) => [line, errors.join(' ')])).toEqual([
    [2, 'Enter a work order number.'],
    [3, 'There is no guide “Gearbox” on this device.'],
    [4, 'Several guides are called “Wheel dressing”. Use the number of one.'],
    [5, 'Name either a person or a team.'],
    [6, 'Name either a person or a team.'],
    [7, 'You cannot plan for “Eve”.'],
    [8, 'Several are called “Ben”. Plan this order by hand.'],
    [9, '“2026-02-30” is not a due time.'],
    [10, '“urgent” is not a priority. Use low, normal or high.'],
    [11, '“2026-12-01 25:00” is not a due time.'],
    [12, ''],
    [13, 'The guide has no release “v2.0” on this device.'],
  ]);
  expect(rows.map(({ plan }) => plan === null)).toEqual([...Array<boolean>(10).fill(true), false, true]);
});

test('PLANNED-9 a file without the needed columns, or without rows, is refused as a whole', () => {
  expect(readPlans('name,guide\nx,y', names)).toEqual({
    rows: [],
    fault: 'The first line does not name these columns: number',
  });
  expect(readPlans('number,guide\n', names).fault).toBe('The file has no rows');
  expect(readPlans('', names).rows).toEqual([]);
});

test('a due time without a time of day is the end of the day', () => {
  expect(readDue('2026-12-01', '')).toBe(new Date(2026, 11, 1, 23, 59).getTime());
  expect(readDue('', '')).toBeNull();
  expect(readDue('', '10:00')).toBeUndefined();
});
