import { z } from 'zod';

import {
  batchResult,
  type BatchResult,
  collectionName,
  feedHead,
  feedRow,
  type FeedRow,
  feedTail,
  rowsEvent,
  type RowsEvent,
  unknownKey,
} from './wire.ts';
import { tolerant } from './tolerant.ts';

// The messages as a device reads them (README.md, PROTOCOL-3): what it does not know is left out, and rows of collections that
// it does not know are not there. Documents stay as they came.

const anyRow = feedRow.extend({ c: z.string() });
const readRow = tolerant(anyRow);

/** The first line of an answer. */
export const readHead = tolerant(feedHead);

/** A line between head and tail as the rows in it: none when this device does not know the collection. Or the tail. */
export const readLine = z.union([
  tolerant(feedTail),
  readRow.transform((row) => ({ rows: knownRows([row]) })),
]);

/** The data of an event `rows`. */
export const readRowsEvent = tolerant(rowsEvent.extend({ rows: z.array(anyRow) })).transform(
  ({ rows, ...rest }): RowsEvent => ({ ...rest, rows: knownRows(rows) }),
);

/** The answer to one call of a batch. */
export const readResult = tolerant(batchResult.extend({ rows: z.array(anyRow) })).transform(
  ({ rows, ...rest }): BatchResult => ({ ...rest, rows: knownRows(rows) }),
);

/** The answer about one key. */
export const readAnswer = z.union([readResult, tolerant(unknownKey)]);

function knownRows(rows: readonly z.output<typeof readRow>[]): FeedRow[] {
  return rows.filter(isKnown);
}

function isKnown(row: z.output<typeof readRow>): row is FeedRow {
  return collectionName.safeParse(row.c).success;
}
