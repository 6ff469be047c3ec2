import { temporaryIdsIn, type WithTemporaryIds } from '#shared/sync/temporary-ids.ts';
import { temporaryId } from '#shared/sync/wire.ts';

import type { OutboxCall } from '../platform/ports.ts';

/** The temporary ids (without `tmp:`) that a call creates: its own, and the keys of new steps. */
export function idsCreatedBy(call: Pick<OutboxCall, 'id' | 'body'>): string[] {
  const { steps } = asRecord(call.body);
  const keys = Array.isArray(steps) ? steps.map((step) => asRecord(step)['key']) : [];
  return [call.id, ...keys.flatMap((key) => (typeof key === 'string' ? [bare(key)] : []))];
}

/** The temporary ids (without `tmp:`) that a call needs from other calls. */
export function needsOf(call: Pick<OutboxCall, 'id' | 'body'> & WithTemporaryIds): string[] {
  const own = new Set(idsCreatedBy(call));
  return [...temporaryIdsIn(call)].map(bare).filter((id) => !own.has(id));
}

/** The id without `tmp:`. */
export function bare(temporary: string): string {
  const prefix = temporaryId('');
  return temporary.startsWith(prefix) ? temporary.slice(prefix.length) : temporary;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
