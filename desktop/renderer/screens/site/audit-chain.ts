import type { AuditEntry } from '#shared/model/audit.ts';

/** How the rows of a page stand to one another: not to be told, linked, or the first one that is not. */
export type ChainState = { kind: 'filtered' } | { kind: 'linked' } | { kind: 'broken'; seq: number };

/**
 * Whether each row names the fingerprint of the one before it, and none between them is missing. `entries`: newest first.
 * What they say themselves is checked on the server.
 */
export function chainOf(entries: readonly AuditEntry[], isFiltered: boolean): ChainState {
  if (isFiltered) return { kind: 'filtered' };
  const broken = entries.find((entry, index) => {
    const before = entries[index + 1];
    return before !== undefined && (before.seq + 1 !== entry.seq || before.hash !== entry.prev_hash);
  });
  return broken === undefined ? { kind: 'linked' } : { kind: 'broken', seq: broken.seq };
}
