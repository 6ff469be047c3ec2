import { concatBytes } from './bytes.ts';
import { directoryOf } from './directory.ts';
import { encodeFrame } from './format.ts';
import { collections, encodeBody, type SnapshotBody } from './records.ts';
import type { JournalState } from './replay.ts';

// Small frames, so that damage takes few records with it.
const PUTS_PER_FRAME = 16;

// What is encoded between two writes: a few hundredths of a second.
const PART_BYTES = 1024 * 1024;

/**
 * The bytes of segment `segment` when it begins with nothing but the current records, sealed, in parts to be written one
 * after the other. `state` must not change before the last part.
 */
export function* encodeSnapshot(
  state: JournalState,
  segment: number,
  keptSegments: number[],
): Generator<Uint8Array> {
  const puts: SnapshotBody['puts'] = collections.flatMap((collection) =>
    [...state.entries[collection]].map(([id, { seq, value }]) => ({
      seq,
      record: { op: 'put' as const, collection, id, value },
    })),
  );
  let parts: Uint8Array[] = [];
  let [begin, end] = [0, 0];
  const add = (kind: 'snapshot' | 'seal', payload: Uint8Array): void => {
    const frame = encodeFrame({ kind, payload }, segment, end);
    parts.push(frame);
    end += frame.length;
  };
  for (let from = 0; from < puts.length; from += PUTS_PER_FRAME) {
    add('snapshot', encodeBody({ puts: puts.slice(from, from + PUTS_PER_FRAME) }));
    if (end - begin < PART_BYTES) continue;
    yield concatBytes(parts);
    parts = [];
    begin = end;
  }
  for (const part of directoryOf(puts, segment)) add('snapshot', encodeBody({ puts: [part] }));
  add('seal', encodeBody({ seq: state.seq, recentIds: [...state.recentIds], keptSegments }));
  yield concatBytes(parts);
}
