import { unreachable } from '#shared/must.ts';

import type { Cipher } from '../platform/cipher.ts';
import { directoriesIn, type NamedRecord } from './directory.ts';
import { type Damage, type FoundFrame, isTornWrite, type Scan, scanSegment } from './format.ts';
import { batchBody, decodeBody, sealBody, type SealBody, snapshotBody } from './records.ts';
import { JournalState } from './state.ts';
import type { JournalStore } from './store.ts';

/** A region of a segment that could not be read. */
export interface SegmentDamage extends Damage {
  segment: number;
  /** Whether an interrupted write left it. Such a write was never reported as saved, so nothing is lost. */
  isTorn: boolean;
  /** Upper bound of the number of missing appends, from the sequence numbers around the region; null if unknown. */
  appends: number | null;
  /** Times of the readable appends before and after it, ms since 1970; null when there is none. */
  since: number | null;
  until: number | null;
}

/** What was read from a store when the journal was opened. */
export interface Replay {
  state: JournalState;
  /** The segment of the next append, the offset in it, and the size with which the segment began. */
  current: { segment: number; end: number; sealed: boolean; beganWith: number };
  /** All segments in the store, ascending. */
  segments: number[];
  /** Damaged segments of the past that are kept for a support export. */
  keptSegments: number[];
  damage: SegmentDamage[];
  /** Records that existed when the newest segment began, and that damage destroyed. */
  missing: NamedRecord[];
  /** Whether another version of this code wrote frames that this one does not understand. */
  newer: boolean;
  /** Whether a frame that was read is not encrypted. */
  clear: boolean;
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
 * Reads the newest sealed segment and all later ones, and merges them by sequence number. If no segment is sealed (a
 * broken disk), reads all of them.
 * @throws CipherError `other-key`; see `scanSegment`
 */
export async function replay(store: JournalStore, cipher?: Cipher): Promise<Replay> {
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
    clear: false,
  };
  const directory: NamedRecord[] = [];
  for (const segment of segments.toReversed()) {
    const bytes = (await store.read(segmentName(segment))) ?? new Uint8Array();
    const scan = await scanGenuine(store, { bytes, segment, segments }, cipher);
    const { seal, end, named, marks } = replaySegment(result, bytes, segment, scan);
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

/** What was read from a segment besides its records. */
interface SegmentRead {
  seal?: SealBody;
  end: number;
  named: NamedRecord[];
  /** Its appends and its seal, in order. `time` is null for the seal. */
  marks: { at: number; seq: number; time: number | null }[];
}

/** Scans a segment. If an earlier one is encrypted, its clear frames count as damaged (CIPHER-5). */
async function scanGenuine(
  store: JournalStore,
  { bytes, segment, segments }: { bytes: Uint8Array; segment: number; segments: number[] },
  cipher?: Cipher,
): Promise<Scan> {
  const scan = scanSegment(bytes, segment, { cipher });
  if (cipher === undefined || !scan.clear) return scan;
  for (const earlier of segments.filter((one) => one < segment)) {
    const before = (await store.read(segmentName(earlier))) ?? new Uint8Array();
    if (scanSegment(before, earlier, { cipher }).sealed)
      return scanSegment(bytes, segment, { cipher, isSealed: true });
  }
  return scan;
}

function replaySegment(result: Replay, bytes: Uint8Array, segment: number, scan: Scan): SegmentRead {
  if (scan.clear) result.clear = true;
  if (scan.newer) result.newer = true;
  const read: SegmentRead = { end: scan.end, named: [], marks: [] };
  for (const frame of scan.frames) {
    try {
      applyFrame(result.state, frame, segment, read);
    } catch {
      // The CRC is correct, so another version of this code wrote it.
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
 * How many appends are missing at most between two others. Sequence numbers are consecutive, but an append that the
 * disk refused has used its number, too. Null when an append was written later than it was made (JOURNAL-17).
 */
function appendsBetween(
  before: { seq: number } | undefined,
  after: { seq: number; time: number | null } | undefined,
): number | null {
  // Records before the seal were copied from an older segment.
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
