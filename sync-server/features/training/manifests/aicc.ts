import {
  checkParts,
  launchOf,
  PackageRefused,
  type PackageFiles,
  type TrainingActivity,
  type TrainingPackage,
} from '../package.ts';
import { numberIn } from './xml.ts';

/** Largest size of each of the four text files, bytes. */
const mostBytes = 1024 * 1024;

/** The course file at the top of an AICC package; undefined if there is none. */
export function aiccManifest(files: PackageFiles): string | undefined {
  return [...files.paths()].find((path) => /^[^/]+\.crs$/i.test(path));
}

/** Reads an AICC package: course, assignable units, descriptors and structure. Throws PackageRefused. */
export async function readAicc(files: PackageFiles, crs: string): Promise<TrainingPackage> {
  const beside = (ending: string): string | undefined => {
    const wanted = `${crs.slice(0, -4)}.${ending}`.toLowerCase();
    return [...files.paths()].find((path) => path.toLowerCase() === wanted);
  };
  const course = section(await textOf(files, crs), 'course');
  if (course.size === 0) throw new PackageRefused(`${crs} has no [Course]`);
  const au = beside('au');
  if (au === undefined) throw new PackageRefused(`${crs} has no file of assignable units (.au) beside it`);
  const des = beside('des');
  if (des === undefined) throw new PackageRefused(`${crs} has no file of descriptors (.des) beside it`);
  const cst = beside('cst');
  if (cst === undefined) throw new PackageRefused(`${crs} has no course structure (.cst) beside it`);
  const titles = new Map(
    table(await textOf(files, des)).map((row) => [
      (row.get('system_id') ?? '').toLowerCase(),
      row.get('title') ?? '',
    ]),
  );
  const rows = table(await textOf(files, au));
  checkParts(au, rows);
  const units = new Map(
    rows
      .map((row) => activityOf(files, au, row, titles))
      .toReversed()
      .map((unit) => [unit.id.toLowerCase(), unit]),
  );
  const order = membersOf(table(await textOf(files, cst)));
  const activities = order.flatMap((id) => units.get(id) ?? []);
  if (activities.length === 0) throw new PackageRefused(`${cst} names no assignable unit of ${au}`);
  return {
    standard: 'aicc',
    id: course.get('course_id') ?? crs,
    title: course.get('course_title') || activities[0]?.title || 'Untitled',
    activities,
  };
}

function activityOf(
  files: PackageFiles,
  au: string,
  row: Map<string, string>,
  titles: Map<string, string>,
): TrainingActivity {
  const id = row.get('system_id') ?? '';
  if (id === '') throw new PackageRefused(`${au} has a row without System_ID`);
  const { path, suffix } = launchOf(files, au, `unit ${id}`, row.get('file_name') ?? '');
  const web = (row.get('web_launch') ?? '').replace(/^[?&]+/, '');
  return {
    id,
    title: titles.get(id.toLowerCase()) || id,
    path,
    suffix: web === '' ? suffix : `${suffix}${suffix === '' ? '?' : '&'}${web}`,
    launchData: row.get('core_vendor') ?? '',
    masteryScore: numberIn(row.get('mastery_score') ?? ''),
    isTracked: true,
    moveOn: 'NotApplicable',
  };
}

/** Ids of units in the order of the structure, starting at the root block, each once, in lower case. */
function membersOf(rows: Map<string, string>[]): string[] {
  const blocks = new Map<string, string[]>();
  for (const row of rows) {
    const [block = '', ...members] = [...row.values()].map((value) => value.toLowerCase());
    const known = blocks.get(block) ?? [];
    for (const member of members) if (member !== '') known.push(member);
    blocks.set(block, known);
  }
  const seen = new Set<string>();
  const units: string[] = [];
  // Without recursion, because blocks may have thousands of levels.
  const open = ['root', ...blocks.keys()].filter((id) => blocks.has(id)).toReversed();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const members = blocks.get(id);
    if (members === undefined) units.push(id);
    else for (const member of members.toReversed()) open.push(member);
  }
  return units;
}

async function textOf(files: PackageFiles, path: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of files.pieces(path)) {
    size += piece.length;
    if (size > mostBytes) throw new PackageRefused(`${path} has more than ${mostBytes} bytes`);
    pieces.push(piece);
  }
  const bytes = Buffer.concat(pieces);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // AICC is older than the common use of UTF-8.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The values of a section of an ini file, by lower-case name. */
function section(text: string, name: string): Map<string, string> {
  const values = new Map<string, string>();
  let current = '';
  for (const line of text.split(/\r?\n/)) {
    const head = /^\s*\[([^\]]+)\]/.exec(line)?.[1];
    if (head !== undefined) current = head.trim().toLowerCase();
    const [key = '', ...rest] = line.split('=');
    if (current === name && rest.length > 0) values.set(key.trim().toLowerCase(), rest.join('=').trim());
  }
  return values;
}

/** Rows of a comma-separated file, by the lower-case names in its header. Columns without a name are numbered. */
function table(text: string): Map<string, string>[] {
  const [head = [], ...rows] = rowsOf(text);
  const taken = new Set(['']);
  // In a structure file, the columns of members have the same name.
  const names = head.map((cell, index) => {
    const name = cell.toLowerCase();
    return taken.size === taken.add(name).size ? `column ${index}` : name;
  });
  return rows.map(
    (row) => new Map(row.map((value, index) => [names[index] ?? `column ${index}`, value] as const)),
  );
}

/** Comma-separated values with quotes (RFC 4180), without empty lines. Runs in linear time. */
function rowsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at <= text.length;) {
    const { value, end } = cellAt(text, at);
    row.push(value);
    at = end + 1;
    if (text[end] === ',') continue;
    if (row.some((cell) => cell !== '')) rows.push(row);
    row = [];
  }
  return rows;
}

/** A trimmed value, and the index of the comma or line end after it. Text after a closing quote is ignored. */
function cellAt(text: string, start: number): { value: string; end: number } {
  const quote = afterSpace(text, start);
  if (text[quote] !== '"') {
    const end = cellEnd(text, start);
    return { value: text.slice(start, end).trim(), end };
  }
  const pieces: string[] = [];
  let from = quote + 1;
  for (;;) {
    const close = text.indexOf('"', from);
    const last = close < 0 ? text.length : close;
    pieces.push(text.slice(from, last));
    if (text[last + 1] !== '"') return { value: pieces.join('"').trim(), end: cellEnd(text, last) };
    from = last + 2;
  }
}

function afterSpace(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at;
}

function cellEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== ',' && text[at] !== '\n') at += 1;
  return at;
}
