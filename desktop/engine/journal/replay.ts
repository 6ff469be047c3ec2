import { unreachable } from '#shared/must.ts';

import { directoriesIn, type NamedRecord } from './directory.ts';
import { type Damage, type FoundFrame, isTornWrite, scanSegment } from './format.ts';
import {
  batchBody,
  type Collection,
  collections,
  decodeBody,
  type StoredRecord,
  sealBody,
  type SealBody,
  snapshotBody,
} from './records.ts';
import type { JournalChanges } from './journal.ts';
import type { JournalStore } from './store.ts';

/** A value in the journal and the sequence number of the append that put it. */
export interface Entry {
  seq: number;
  value: unknown;
}

/** A region of a segment that could not be read. */
export interface SegmentDamage extends Damage {
  segment: number;
  /** An interrupted write, which nobody was told was saved: nothing is lost. */
  isTorn: boolean;
  /** At most so many appends are missing, by the numbers of their neighbours; null when these do not tell. */
  appends: number | null;
  /** When the readable appends before and after it were made, ms since 1970; null when there is none. */
  since: number | null;
  until: number | null;
}

/** What a journal holds: the latest put per collection and id, unless a delete came later. */
export class JournalState {
  readonly entries: Record<Collection, Map<string, Entry>> = emptyEntries();
  /** The highest sequence number seen. */
  seq = 0;
  /** Ids of the latest appends, oldest first, by which a repeated append is recognised. */
  readonly recentIds = new Set<string>();
  // While segments are merged, a delete must outlive its record: an older put may be read after it.
  #deleted: Map<string, number> | undefined = new Map();
  // The latest changes, oldest first: every one that came after the append `#recentSince`.
  #recent: { seq: number; collection: Collection; id: string }[] = [];
  #recentSince = 0;

  /** Applies one append; records that are older than what is known of their id change nothing. */
  apply(seq: number, records: readonly StoredRecord[]): void {
    this.seq = Math.max(this.seq, seq);
    for (const record of records) {
      if (this.#deleted === undefined)
        this.#recent.push({ seq, collection: record.collection, id: record.id });
      const known = this.entries[record.collection].get(record.id)?.seq ?? this.#deletedAt(record);
      if (known > seq) continue;
      if (record.op === 'put') {
        this.entries[record.collection].set(record.id, { seq, value: record.value });
      } else {
        this.entries[record.collection].delete(record.id);
        this.#deleted?.set(keyOf(record), seq);
      }
    }
    if (this.#recent.length > 2 * RECENT_CHANGES) this.#forgetChanges(RECENT_CHANGES);
  }

  /** What the appends after `since` left of a collection. */
  changes(collection: Collection, since: number): JournalChanges {
    const entries = this.entries[collection];
    if (since < this.#recentSince) {
      const values = new Map([...entries].map(([id, { value }]) => [id, value]));
      return { seq: this.seq, isWhole: true, values, deleted: [] };
    }
    const from = this.#recent.findLastIndex(({ seq }) => seq <= since) + 1;
    const ids = this.#recent.slice(from).flatMap((one) => (one.collection === collection ? [one.id] : []));
    const values = new Map<string, unknown>();
    const deleted = new Set<string>();
    for (const id of ids) {
      const entry = entries.get(id);
      if (entry === undefined) deleted.add(id);
      else values.set(id, entry.value);
    }
    return { seq: this.seq, isWhole: false, values, deleted: [...deleted] };
  }

  remember(id: string): void {
    this.recentIds.delete(id);
    this.recentIds.add(id);
    if (this.recentIds.size <= RECENT_IDS) return;
    for (const oldest of this.recentIds) {
      this.recentIds.delete(oldest);
      return;
    }
  }

  /** Ends the merging of segments: from here on appends come in order. */
  settle(): void {
    this.#deleted = undefined;
    this.#recentSince = this.seq;
  }

  #forgetChanges(kept: number): void {
    const forgotten = this.#recent.splice(0, this.#recent.length - kept);
    this.#recentSince = forgotten.at(-1)?.seq ?? this.#recentSince;
  }

  /** Which of `records` are neither here nor deleted. To be asked before `settle`. */
  missing(records: readonly NamedRecord[]): NamedRecord[] {
    return records.filter(
      ({ collection, id }) =>
        !this.entries[collection].has(id) &&
        this.#deleted?.has(keyOf({ op: 'delete', collection, id })) === false,
    );
  }

  #deletedAt(record: StoredRecord): number {
    const deleted = this.#deleted;
    return deleted === undefined || deleted.size === 0 ? -1 : (deleted.get(keyOf(record)) ?? -1);
  }
}

// A client repeats only what was under way when its leader died: a handful, never a thousand.
const RECENT_IDS = 1000;

// Whoever missed more than this many changes is told everything.
const RECENT_CHANGES = 4096;

export interface Replay {
  state: JournalState;
  /** The segment that takes the next append, where in it, and the bytes it began with. */
  current: { segment: number; end: number; sealed: boolean; beganWith: number };
  /** All segments in the store, ascending. */
  segments: number[];
  /** Damaged segments of the past that are kept for a support export. */
  keptSegments: number[];
  damage: SegmentDamage[];
  /** Records that were there when the newest segment began, and that damage took. */
  missing: NamedRecord[];
  /** Whether another version of this code wrote something that this one does not understand. */
  newer: boolean;
}

/** The store's name of a segment. */
export function segmentName(segment: number): string {
  return `segment-${String(segment).padStart(8, '0')}`;
}

/** The number of a segment, or undefined when `name` is not a segment's. */
export function segmentNumber(name: string): number | undefined {
  const match = /^segment-(\d{8,})$/.exec(name);
  return match === null ? undefined : Number(match[1]);
}

/**
 * Reads the newest sealed segment and all later ones, and merges them by sequence number. Without any sealed
 * segment (a broken disk), everything that can be read counts.
 */
export async function replay(store: JournalStore): Promise<Replay> {
  const names = await store.list();
  const segments = names.flatMap((name) => segmentNumber(name) ?? []).toSorted((a, b) => a - b);
  const result: Replay = {
    state: new JournalState(),
    current: { segment: segments.at(-1) ?? 1, end: 0, sealed: false, beganWith: 0 },
    segments,
    keptSegments: [],
    damage: [],
    missing: [],
    newer: false,
  };
  const directory: NamedRecord[] = [];
  for (const segment of segments.toReversed()) {
    const bytes = (await store.read(segmentName(segment))) ?? new Uint8Array();
    const { seal, end, named, marks } = replaySegment(result, bytes, segment);
    directory.push(...named);
    if (segment === result.current.segment) {
      const beganWith = marks.find(({ time }) => time === null)?.at ?? 0;
      result.current = { segment, end, sealed: seal !== undefined, beganWith };
    }
    if (seal === undefined) continue;
    result.keptSegments = seal.keptSegments;
    break;
  }
  result.missing = result.state.missing(directory);
  result.state.settle();
  return result;
}

/** What a segment told beside its records. */
interface SegmentRead {
  seal?: SealBody;
  end: number;
  named: NamedRecord[];
  /** Its appends and its seal, in their order; `time` null for the seal. */
  marks: { at: number; seq: number; time: number | null }[];
}

function replaySegment(result: Replay, bytes: Uint8Array, segment: number): SegmentRead {
  const scan = scanSegment(bytes, segment);
  if (scan.newer) result.newer = true;
  const read: SegmentRead = { end: scan.end, named: [], marks: [] };
  for (const frame of scan.frames) {
    try {
      applyFrame(result.state, frame, segment, read);
    } catch {
      // Its CRC is right, so some other version of this code meant something by it.
      result.newer = true;
    }
  }
  for (const damage of scan.damage) {
    const before = read.marks.findLast(({ at }) => at < damage.from);
    const after = read.marks.find(({ at }) => at >= damage.to);
    result.damage.push({
      ...damage,
      segment,
      isTorn: isTornWrite(bytes, segment, damage),
      appends: appendsBetween(before, after),
      since: before?.time ?? null,
      until: after?.time ?? null,
    });
  }
  return read;
}

/**
 * Numbers of appends follow each other; one that the disk did not take uses its number up. One that was written later than
 * it was made (JOURNAL-17) tells nothing.
 */
function appendsBetween(
  before: { seq: number } | undefined,
  after: { seq: number; time: number | null } | undefined,
): number | null {
  // What stands before the seal was carried over from an older segment.
  if (before === undefined || after === undefined || after.time === null) return null;
  return after.seq > before.seq ? after.seq - before.seq - 1 : null;
}

function applyFrame(state: JournalState, frame: FoundFrame, segment: number, read: SegmentRead): void {
  const body = decodeBody(frame.payload);
  switch (frame.kind) {
    case 'batch': {
      const batch = batchBody.parse(body);
      state.apply(batch.seq, batch.records);
      state.remember(batch.id);
      read.marks.push({ at: frame.at, seq: batch.seq, time: batch.at });
      return;
    }
    case 'snapshot': {
      const { puts } = snapshotBody.parse(body);
      const { named, rest } = directoriesIn(puts, segment);
      read.named.push(...named);
      for (const { seq, record } of rest) state.apply(seq, [record]);
      return;
    }
    case 'seal': {
      const seal = sealBody.parse(body);
      state.seq = Math.max(state.seq, seal.seq);
      for (const id of seal.recentIds) state.remember(id);
      read.seal = seal;
      read.marks.push({ at: frame.at, seq: seal.seq, time: null });
      return;
    }
    default:
      return unreachable(frame.kind);
  }
}

function emptyEntries(): Record<Collection, Map<string, Entry>> {
  return { outbox: new Map(), drafts: new Map(), meta: new Map(), files: new Map() };
}

function keyOf(record: StoredRecord): string {
  return `${collections.indexOf(record.collection)}/${record.id}`;
}
