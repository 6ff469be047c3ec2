import type { AuditEntry } from '#shared/model/audit.ts';

/** Result of comparing the rows of a page: not comparable (filtered), linked, or the first broken row. */
export type ChainState = { kind: 'filtered' } | { kind: 'linked' } | { kind: 'broken'; seq: number };

/**
 * Whether each row names the hash of the previous one and no row is missing. `entries`: newest first. The server
 * verifies the contents of the rows.
 */
export function chainOf(entries: readonly AuditEntry[], isFiltered: boolean): ChainState {
  if (isFiltered) return { kind: 'filtered' };
  const broken = entries.find((entry, index) => {
    const before = entries[index + 1];
    return before !== undefined && (before.seq + 1 !== entry.seq || before.hash !== entry.prev_hash);
  });
  return broken === undefined ? { kind: 'linked' } : { kind: 'broken', seq: broken.seq };
}
