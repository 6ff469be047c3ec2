import type { Cipher } from '../platform/cipher.ts';
import { concatBytes } from './bytes.ts';
import { directoryOf } from './directory.ts';
import { encodeFrame } from './format.ts';
import { collections, encodeBody, type SnapshotBody } from './records.ts';
import type { JournalState } from './state.ts';

// Small frames, so that damage destroys few records.
const PUTS_PER_FRAME = 16;

// Bytes that are encoded between two writes: a few hundredths of a second of work.
const PART_BYTES = 1024 * 1024;

/**
 * Encodes a sealed segment with the current records, in parts to be written one after the other. `state` must not
 * change before the last part.
 */
export function* encodeSnapshot(
  state: JournalState,
  segment: number,
  keptSegments: number[],
  cipher?: Cipher,
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
    const frame = encodeFrame({ kind, payload }, segment, end, cipher);
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
