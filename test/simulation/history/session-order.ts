import type { Operation } from './operation.ts';

/** A client that received an older revision than it knew at its request. */
export interface Regression {
  client: number;
  known: number;
  told: number;
  via: string;
}

/**
 * The operations on one record in which a client received something older than before its request (read-your-writes
 * and monotonic reads: D. Terry et al., "Session guarantees for weakly consistent replicated data", 1994).
 */
export function regressionsOf(operations: readonly Operation[]): Regression[] {
  return [...Map.groupBy(operations, ({ client }) => client)].flatMap(([client, own]) => {
    const told = own.flatMap((one) => toldBy(one) ?? []).toSorted((a, b) => a.start - b.start);
    return told.flatMap(({ start, revisionid, via }) => {
      const known = Math.max(0, ...told.filter(({ end }) => end < start).map((one) => one.revisionid));
      return known > revisionid ? [{ client, known, told: revisionid, via }] : [];
    });
  });
}

function toldBy(one: Operation): { start: number; end: number; revisionid: number; via: string } | null {
  const { start, end } = one;
  if (one.kind === 'unknown') return null;
  if (one.kind === 'save')
    return one.saved.revisionid === null
      ? null
      : { start, end, revisionid: one.saved.revisionid, via: 'save' };
  const via = one.kind === 'read' ? one.via : 'refusal';
  return { start, end, revisionid: one.seen.revisionid, via };
}
