import Papa from 'papaparse';

import type {
  Assignee,
  GuideReleaseView,
  OrderPlan,
  PlanningFor,
} from '#desktop/engine/api/planned-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { plannedNoteLimit } from '#shared/api/planned-orders.ts';
import { serialLimit, serialsLimit } from '#shared/api/work-log.ts';
import { priorities } from '#shared/model/planned-orders.ts';

import { readSerials } from '../work-orders/read-serials.ts';
import { readDue } from './plan-form.ts';

/** The columns of a file, by the names in its first line, in lower case. */
export const planColumns = [
  'number',
  'guide',
  'person',
  'team',
  'due',
  'priority',
  'serials',
  'note',
  'release',
] as const;
type Column = (typeof planColumns)[number];

/** Maximum number of orders in one file. */
export const mostRows = 1000;

/** One row of a file. `line`: its line, from 2. `plan`: null if the row has errors. */
export interface PlanRow {
  line: number;
  number: string;
  plan: OrderPlan | null;
  errors: readonly string[];
}

/** What the names in a file can mean on this device. */
export interface PlanNames {
  guides: readonly { guideid: string; title: string }[];
  releases: readonly GuideReleaseView[];
  targets: PlanningFor;
}

/**
 * Reads orders from CSV, separated by commas, semicolons or tabs. The first line names the columns, in any order. A guide
 * is named by its title or number, a release by its name, a person or team by their name. A due time is `2026-12-01` or `2026-12-01 14:30`, in
 * the time zone of the device. `fault`: why nothing could be read.
 *
 * - PLANNED-9 A file is read on the device, also offline. Each row with an error says what is wrong, and is left out; the
 *   others are shown before they are planned.
 */
export function readPlans(csv: string, names: PlanNames): { rows: PlanRow[]; fault: string | null } {
  const { data, meta } = Papa.parse<Partial<Record<string, string>>>(csv.replace(/^\uFEFF/, ''), {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (name) => name.trim().toLowerCase(),
  });
  const missing = (['number', 'guide'] as const).filter((name) => meta.fields?.includes(name) !== true);
  if (missing.length > 0) return { rows: [], fault: text.planned.csv.missingColumns(missing.join(', ')) };
  if (data.length > mostRows) return { rows: [], fault: text.planned.csv.tooMany(mostRows) };
  const read = (row: Partial<Record<string, string>>, column: Column): string => row[column]?.trim() ?? '';
  const rows = data.map((row, index) => readRow((column) => read(row, column), index + 2, names));
  return { rows, fault: rows.length === 0 ? text.planned.csv.empty : null };
}

function readRow(read: (column: Column) => string, line: number, names: PlanNames): PlanRow {
  const errors: string[] = [];
  const or = <T>(value: T | undefined, error: string): T | undefined => {
    if (value === undefined) errors.push(error);
    return value;
  };
  const number = read('number');
  if (number === '') errors.push(text.planned.csv.needNumber);
  if (number.length > 255) errors.push(text.planned.csv.longNumber);
  const guideid = guideOf(read('guide'), names.guides, errors);
  const release = releaseOf(read('release'), guideid, names.releases, errors);
  const assignee = assigneeOf(read('person'), read('team'), names.targets, errors);
  const [day = '', time = ''] = read('due').split(/[\sT]+/);
  const due = or(readDue(day, time), text.planned.csv.wrongDue(read('due')));
  const asked = read('priority').toLowerCase() || 'normal';
  const priority = or(
    priorities.find((one) => one === asked),
    text.planned.csv.wrongPriority(read('priority')),
  );
  const serials = readSerials(read('serials'));
  if (serials.length > serialsLimit || serials.some((one) => one.length > serialLimit))
    errors.push(text.planned.csv.wrongSerials);
  const note = read('note');
  if (note.length > plannedNoteLimit) errors.push(text.planned.csv.longNote);
  const isWhole =
    guideid !== undefined && assignee !== undefined && due !== undefined && priority !== undefined;
  const plan = isWhole
    ? { guideid, release, workorderid: number, assignee, due, priority, serials, note, rrule: null }
    : null;
  return { line, number, plan: errors.length > 0 ? null : plan, errors };
}

function guideOf(name: string, guides: PlanNames['guides'], errors: string[]): string | undefined {
  if (name === '') errors.push(text.planned.csv.needGuide);
  else {
    const found = guides.filter((guide) => guide.guideid === name || same(guide.title, name));
    if (found.length === 1) return found[0]?.guideid;
    errors.push(found.length === 0 ? text.planned.csv.noGuide(name) : text.planned.csv.manyGuides(name));
  }
  return undefined;
}

/** The release of a guide with this name; null: none is named, or there is no such release. */
function releaseOf(
  name: string,
  guideid: string | undefined,
  releases: PlanNames['releases'],
  errors: string[],
): OrderPlan['release'] {
  if (name === '' || guideid === undefined) return null;
  const found = releases.find((one) => one.guideid === guideid && same(one.title, name));
  if (found === undefined) errors.push(text.planned.csv.noRelease(name));
  return found === undefined ? null : { releaseid: found.releaseid, title: found.title };
}

function assigneeOf(
  person: string,
  team: string,
  { people, teams }: PlanningFor,
  errors: string[],
): Assignee | undefined {
  if ((person === '') === (team === '')) {
    errors.push(text.planned.csv.needWho);
    return undefined;
  }
  const found: Assignee[] =
    person === ''
      ? teams.flatMap(({ teamid: id, name }) => (same(name, team) ? [{ kind: 'team', id }] : []))
      : people.flatMap(({ userid: id, username }) =>
          same(username, person) ? [{ kind: 'person', id }] : [],
        );
  if (found.length === 1) return found[0];
  errors.push(
    found.length === 0 ? text.planned.csv.noWho(person + team) : text.planned.csv.manyWho(person + team),
  );
  return undefined;
}

function same(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
