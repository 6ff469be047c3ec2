import { combineLatest, map, type Observable } from 'rxjs';

import type { EntryFacts } from '#shared/model/work-log.ts';
import { numberKey, tracedNumbers, workedRevisionNumbers } from '#shared/rules/tracing.ts';
import { recordOf } from '#shared/rules/work-record.ts';

import type { TracedOrder, TraceKey } from '../api/tracing.ts';
import { deviations } from '../areas/deviations.ts';
import type { LocalEntry } from '../features/records/overlay/entry.ts';
import { localEntries } from '../features/records/order-views.ts';
import { namesInRecord } from '../features/records/record-names.ts';
import { type Sources, shared } from '../features/records/sources.ts';

/** Maximum number of suggestions. */
const mostNumbers = 10;

/** What the views share, because a search asks for each text that is typed. */
interface Streams {
  /** The entries on this device, with waiting calls on top. */
  entries: Observable<LocalEntry[]>;
  /** Their numbers as they were entered, by the form in which they are compared. */
  numbers: Observable<ReadonlyMap<string, string>>;
}

const sharedOf = new WeakMap<Sources, Streams>();

function streamsOf(sources: Sources): Streams {
  const before = sharedOf.get(sources);
  if (before !== undefined) return before;
  const entries = combineLatest([sources.core.mirror.all('workLog'), sources.calls]).pipe(
    map(([records, calls]) => localEntries(records, calls, sources)),
    shared(),
  );
  const numbers = entries.pipe(
    map((all) => new Map(all.flatMap(({ facts }) => [...numbersOf(facts)]))),
    shared(),
  );
  sharedOf.set(sources, { entries, numbers });
  return { entries, numbers };
}

/** The numbers of an entry. An entry is an object of its own for each version. */
const known = new WeakMap<EntryFacts, ReadonlyMap<string, string>>();

/** The numbers of an entry as they were entered, by the form in which they are compared. */
function numbersOf(facts: EntryFacts): ReadonlyMap<string, string> {
  const before = known.get(facts);
  if (before !== undefined) return before;
  const numbers = new Map(tracedNumbers(facts).map(({ text }) => [numberKey(text), text]));
  known.set(facts, numbers);
  return numbers;
}

/**
 * The orders of a key on this device.
 *
 * - TRACE-7 Work that waits on this device is found at once, online and offline.
 */
export function tracedHere(sources: Sources, key: TraceKey): Observable<TracedOrder[]> {
  return combineLatest([streamsOf(sources).entries, sources.rows, sources.names, deviations(sources)]).pipe(
    map(([entries, rows, people, all]) => {
      const titles = new Map(rows.map(({ id, title }) => [id, title]));
      const found = entries.filter((entry) => belongsTo(entry, key, sources));
      return found.toSorted(newestFirst).map((entry): TracedOrder => ({
        entryid: entry.entryid,
        record: recordOf(entry.facts, namesInRecord(entry, titles, people)),
        deviations: all.filter(({ entryid }) => entryid === entry.entryid),
        pending: entry.pending > 0,
      }));
    }),
  );
}

function belongsTo({ facts, guideid }: LocalEntry, key: TraceKey, { resolve }: Sources): boolean {
  if ('number' in key) return numbersOf(facts).has(numberKey(key.number));
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

/** Numbers on this device that begin with a text. */
export function numbersHere(sources: Sources, prefix: string): Observable<string[]> {
  const key = numberKey(prefix);
  return streamsOf(sources).numbers.pipe(
    map((numbers) =>
      [...numbers]
        .filter(([number]) => key !== '' && number.startsWith(key))
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .slice(0, mostNumbers)
        .map(([, text]) => text),
    ),
  );
}

/** Whether the last order on a guide has serial or lot numbers. */
export function namesSerials(sources: Sources, guideid: string): Observable<boolean> {
  return streamsOf(sources).entries.pipe(
    map((entries) => {
      const ofGuide = entries.filter((entry) => sources.resolve(entry.guideid) === sources.resolve(guideid));
      const last = ofGuide.toSorted((a, b) => startOf(a.facts) - startOf(b.facts)).at(-1);
      return last?.facts.serials !== undefined;
    }),
  );
}
