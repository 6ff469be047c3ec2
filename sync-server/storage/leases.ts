import type { Tx } from './tables.ts';

/** Thrown by a write of a node that lost the lease for it: another node may be doing the work. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
  constructor(lease: string) {
    super(`This node lost the lease "${lease}"`);
  }
}

/** The right to do some work of the site, which one node at a time has. */
export interface Lease {
  /** Aborted with `LeaseLost` when this node can no longer count on it. */
  readonly signal: AbortSignal;
  /**
   * Inside a write transaction: nobody else gets the lease before its end.
   * @throws LeaseLost if this node does not have it any more
   */
  mustHold(tx: Tx): Promise<void>;
  /** Gives it back, so that another node need not wait for its end. Never throws. */
  release(): Promise<void>;
}

/** The leases of a database that several nodes use. */
export interface Leases {
  /** Whether nobody has the lease. */
  isFree(name: string): Promise<boolean>;
  /** Takes a free lease as part of a write transaction; null if a node has it. It is renewed until it is released. */
  take(name: string, tx: Tx): Promise<Lease | null>;
}
