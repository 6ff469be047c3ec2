import { z } from 'zod';

import {
  batchResult,
  type BatchResult,
  collectionName,
  feedHead,
  guideTitle,
  feedRow,
  type FeedRow,
  feedTail,
  rowsEvent,
  type RowsEvent,
  unknownKey,
} from './wire.ts';
import { tolerant } from './tolerant.ts';

// Readers of messages for a device (README.md, PROTOCOL-3). They drop unknown keys, and rows of collections that the
// device does not know. Documents are not changed.

const anyRow = feedRow.extend({ c: z.string() });
const readRow = tolerant(anyRow);

/** Reads the first line of an answer. */
export const readHead = tolerant(feedHead);

/**
 * Reads a line after the head: the tail, or one row as `{ rows }`, which is empty when the device does not know the
 * collection.
 */
export const readLine = z.union([
  tolerant(feedTail),
  readRow.transform((row) => ({ rows: knownRows([row]) })),
]);

/** Reads a line of the titles of a pack. */
export const readGuideTitle = tolerant(guideTitle);

/** Reads the data of a `rows` event. */
export const readRowsEvent = tolerant(rowsEvent.extend({ rows: z.array(anyRow) })).transform(
  ({ rows, ...rest }): RowsEvent => ({ ...rest, rows: knownRows(rows) }),
);

/** Reads the result of one call of a batch. */
export const readResult = tolerant(batchResult.extend({ rows: z.array(anyRow) })).transform(
  ({ rows, ...rest }): BatchResult => ({ ...rest, rows: knownRows(rows) }),
);

/** Reads the answer about one Idempotency-Key. */
export const readAnswer = z.union([readResult, tolerant(unknownKey)]);

function knownRows(rows: readonly z.output<typeof readRow>[]): FeedRow[] {
  return rows.filter(isKnown);
}

function isKnown(row: z.output<typeof readRow>): row is FeedRow {
  return collectionName.safeParse(row.c).success;
}
