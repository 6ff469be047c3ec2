import { Problem } from '#shared/api/problem.ts';

/** Work for the account waits on this device, and the server has not proved that it is the one that the work is for (ACCOUNT-4). */
export class UnprovedServer extends Problem {
  /** Where the work was done. */
  readonly origin: string;
  readonly changes: number;
  readonly reason: 'origin-not-named' | 'cannot-verify' | 'no-identity';

  constructor(at: string, origin: string, changes: number, reason: UnprovedServer['reason']) {
    super(
      'unavailable',
      `Work for ${origin} waits on this device, and ${at} cannot prove that it is the same server`,
    );
    this.origin = origin;
    this.changes = changes;
    this.reason = reason;
  }
}
