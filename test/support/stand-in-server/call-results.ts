import type { Answer } from '#desktop/engine/outbox/answers.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { must } from '#shared/must.ts';
import type { FeedRow, SyncedCollection } from '#shared/sync/wire.ts';

import type { Records } from './records.ts';

/** A call of a device. `size`: bytes of its file, if it has one. */
export type Call = Pick<OutboxCall, 'id' | 'method' | 'path'> & {
  recorded_for?: string;
  recorded_at?: string;
  lane?: string;
  query?: Record<string, string>;
  body?: unknown;
  size?: number;
};

export function done(rows: FeedRow[], created: Record<string, number> = {}): Answer {
  return { status: 200, headers: {}, body: undefined, rows, created, replayed: false };
}

export function refused(status: number, message: string): Answer {
  return { status, headers: {}, body: { message }, rows: [], created: {}, replayed: false };
}

/** 409 with the current version. */
export function conflict(records: Records, c: SyncedCollection, id: string): Answer {
  const row = must(records.documents.get(`${c}/${id}`), `${c} ${id}`);
  return { ...refused(409, 'Conflict'), body: row.doc, rows: [row] };
}
