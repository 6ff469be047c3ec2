import { combineLatest, map, type Observable } from 'rxjs';

import type { EntryFacts } from '#shared/model/work-log.ts';
import { numberKey, tracedNumbers, workedRevisionNumbers } from '#shared/rules/tracing.ts';
import { recordOf } from '#shared/rules/work-record.ts';

import type { TracedOrder, TraceKey, TracingViews } from '../api/tracing.ts';
import { deviations } from '../areas/deviations.ts';
import { toLive } from '../features/live.ts';
import { localEntries } from '../features/records/order-views.ts';
import type { LocalEntry } from '../features/records/overlay/entry.ts';
import { namesInRecord } from '../features/records/record-names.ts';
import { type Sources, shared } from '../features/records/sources.ts';
import { stationsIn } from '../features/records/work-order-view.ts';

/** Maximum number of suggestions. */
const mostNumbers = 10;

/** The views of tracing. They share what they derive from the entries, because a search asks for each text that is typed. */
export function tracingViews(sources: Sources): TracingViews {
  const entries = combineLatest([sources.core.mirror.all('workLog'), sources.calls]).pipe(
    map(([records, calls]) => localEntries(records, calls, sources).map(numbered)),
    shared(),
  );
  const numbers = entries.pipe(
    map((all) => new Map(all.flatMap((one) => [...one.numbers]))),
    shared(),
  );
  return {
    tracedHere: (key) => toLive(tracedHere(entries, key, sources)),
    numbersHere: (prefix) => toLive(numbersHere(numbers, numberKey(prefix))),
    namesSerials: (guideid) => toLive(namesSerials(entries, guideid, sources)),
  };
}

/** An entry with its numbers as they were entered, by the form in which they are compared. */
interface Numbered {
  entry: LocalEntry;
  numbers: ReadonlyMap<string, string>;
}

function numbered(entry: LocalEntry): Numbered {
  return { entry, numbers: new Map(tracedNumbers(entry.facts).map(({ text }) => [numberKey(text), text])) };
}

/**
 * The orders of a key on this device.
 *
 * - TRACE-7 Work that waits on this device is found at once, online and offline.
 */
function tracedHere(
  entries: Observable<Numbered[]>,
  key: TraceKey,
  sources: Sources,
): Observable<TracedOrder[]> {
  return combineLatest([entries, sources.rows, sources.names, deviations(sources)]).pipe(
    map(([all, rows, people, deviating]) => {
      const titles = new Map(rows.map(({ id, title }) => [id, title]));
      const found = all.filter((one) => belongsTo(one, key, sources)).map(({ entry }) => entry);
      return found.toSorted(newestFirst).map((entry): TracedOrder => ({
        entryid: entry.entryid,
        record: recordOf(entry.facts, namesInRecord(entry, titles, people)),
        deviations: deviating.filter(({ entryid }) => entryid === entry.entryid),
        pending: entry.pending > 0,
        ...stationsIn(entry.facts, { nameOf: (userid) => people.get(userid) ?? '' }),
      }));
    }),
  );
}

function belongsTo(
  { entry: { facts, guideid }, numbers }: Numbered,
  key: TraceKey,
  { resolve }: Sources,
): boolean {
  if ('number' in key) return numbers.has(numberKey(key.number));
  return resolve(guideid) === resolve(key.guideid) && workedRevisionNumbers(facts).includes(key.revision);
}

/** Orders that are not on the server yet are newer than all others. */
function newestFirst(a: LocalEntry, b: LocalEntry): number {
  const number = ({ facts }: LocalEntry): number => (facts.entryid === 0 ? Infinity : facts.entryid);
  return number(a) === number(b) ? startOf(b.facts) - startOf(a.facts) : number(b) - number(a);
}

function startOf({ events }: EntryFacts): number {
  return events[0]?.at ?? 0;
}

/** Numbers on this device that begin with a text (`numberKey`). */
function numbersHere(numbers: Observable<ReadonlyMap<string, string>>, key: string): Observable<string[]> {
  return numbers.pipe(
    map((all) =>
      [...all]
        .filter(([number]) => key !== '' && number.startsWith(key))
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .slice(0, mostNumbers)
        .map(([, text]) => text),
    ),
  );
}

/** Whether the last order on a guide has serial or lot numbers. */
function namesSerials(
  entries: Observable<Numbered[]>,
  guideid: string,
  { resolve }: Sources,
): Observable<boolean> {
  return entries.pipe(
    map((all) => {
      const ofGuide = all
        .map(({ entry }) => entry)
        .filter((one) => resolve(one.guideid) === resolve(guideid));
      const last = ofGuide.toSorted((a, b) => startOf(a.facts) - startOf(b.facts)).at(-1);
      return last?.facts.serials !== undefined;
    }),
  );
}
