import type { StoredHead, StoredHeads } from './heads.ts';
import type { AuditRow } from '#server/storage/audit/recorder.ts';
import { BadStamp, readStamp, verifyStamp } from './timestamp.ts';

/** The result of a comparison with heads that were stored outside of the server. */
export interface AgainstReport {
  /** Heads that were compared. */
  heads: number;
  /** Heads of other servers that were left out, because one server was selected. */
  others: number;
  /** Number of heads that match. */
  fit: number;
  /** Number of valid time stamps that match. */
  stamps: number;
  /** Places with a redacted or truncated time stamp; only the row and hash next to it were compared. */
  unstamped: string[];
  /** The newest row that matches: it and every row before it are unchanged. Null if none matches. */
  newest: { seq: number; time: string | null; place: string } | null;
}

/** Which heads to compare, and the certificates to check time stamps with. */
export interface AgainstOptions {
  /** The id of the server whose heads count. Default: all servers. */
  server?: string | undefined;
  /** Certificates (PEM) of time-stamping authorities, or of their issuers. */
  certificates: readonly string[];
}

type Found = (seq: number | null, message: string) => void;

/** A head that the log must contain: by row and hash, or by hash alone. */
interface Expected extends StoredHead {
  hash: string;
  stamped: Date | null;
}

/** Compares the rows of a log, one after another, with heads that were stored outside of the server. */
export class Comparison {
  readonly #bySeq: Map<number, Expected[]>;
  readonly #byHash: Map<string, Expected[]>;
  readonly #found: Found;
  readonly #report: AgainstReport;
  readonly #missed: Expected[] = [];
  readonly #gaps: number[] = [];

  private constructor(
    expected: readonly Expected[],
    { others, unstamped }: Pick<AgainstReport, 'others' | 'unstamped'>,
    found: Found,
  ) {
    this.#bySeq = Map.groupBy(
      expected.filter(({ seq }) => seq !== null),
      ({ seq }) => seq ?? 0,
    );
    this.#byHash = Map.groupBy(
      expected.filter(({ seq }) => seq === null),
      ({ hash }) => hash,
    );
    this.#found = found;
    this.#report = { heads: expected.length, others, fit: 0, stamps: 0, unstamped, newest: null };
  }

  /** Checks stamps. `unproven` receives what cannot be read or verified, `found` what contradicts the log. */
  static async begin(
    kept: StoredHeads,
    options: AgainstOptions,
    { unproven, found }: { unproven: Found; found: Found },
  ): Promise<Comparison> {
    for (const place of kept.unreadable)
      unproven(null, `${place}: contains the head of an audit log, but cannot be read.`);
    const wanted = kept.heads.filter(
      ({ server }) => options.server === undefined || server === null || server === options.server,
    );
    const expected: Expected[] = [];
    for (const head of wanted) {
      // If the stamp is invalid, the row and hash next to it are still compared.
      const stamped = await stampOf(head, options.certificates, unproven);
      const hash = head.hash ?? stamped?.hash;
      if (hash !== undefined) expected.push({ ...head, hash, stamped: stamped?.date ?? null });
    }
    const others = kept.heads.length - wanted.length;
    return new Comparison(expected, { others, unstamped: kept.unstamped }, found);
  }

  /** Compares a row. `isGap`: the row reports that earlier rows are missing. */
  see(row: Pick<AuditRow, 'seq' | 'hash'>, isGap: boolean): void {
    if (isGap) this.#gaps.push(row.seq);
    for (const head of this.#bySeq.get(row.seq) ?? [])
      if (head.hash === row.hash) this.#fits(head, row.seq);
      else this.#missed.push(head);
    this.#bySeq.delete(row.seq);
    const stamps = this.#byHash.get(row.hash);
    for (const stamp of stamps ?? []) this.#fits(stamp, row.seq);
    this.#byHash.delete(row.hash);
  }

  /** Ends the comparison after the last row, whose number is `last`. */
  end(last: number): AgainstReport {
    for (const heads of this.#bySeq.values()) this.#missed.push(...heads);
    for (const head of this.#missed.toSorted((one, other) => (one.seq ?? 0) - (other.seq ?? 0)))
      this.#found(head.seq, this.#contradiction(head, last));
    for (const stamps of this.#byHash.values())
      for (const stamp of stamps)
        this.#found(
          null,
          `${stamp.place}: no row has the hash ${stamp.hash}, which was stamped ${timeOf(stamp)}. That row was cut off, or it or a row before it was changed.`,
        );
    return this.#report;
  }

  #fits(head: Expected, seq: number): void {
    this.#report.fit += 1;
    if (head.stamped !== null) this.#report.stamps += 1;
    const { newest } = this.#report;
    if (newest === null || seq >= newest.seq)
      this.#report.newest = {
        seq,
        time: head.stamped?.toISOString() ?? head.time,
        place: head.place,
      };
  }

  #contradiction(head: Expected, last: number): string {
    const seq = head.seq ?? 0;
    const told = `${head.place}: row ${seq} had the hash ${head.hash} when it was told ${timeOf(head)}`;
    const { newest } = this.#report;
    if (newest !== null && newest.seq >= seq)
      return `${told}, but not now. It is of another history, since row ${newest.seq} fits (${newest.place}).${this.#gapWords()} Or another server told it (see --server).`;
    const from = (newest?.seq ?? 0) + 1;
    if (seq > last)
      return `${told}, but the log ends with row ${last}. The rows ${last + 1} to ${seq} at least were cut off${from <= last ? `; no head in the files fits the rows ${from} to ${last}` : ''}.${this.#gapWords()}`;
    return `${told}, but not now. ${from === seq ? `Row ${seq} was` : `One of the rows ${from} to ${seq}, or all of them, were`} changed, added, removed or written anew.${this.#gapWords()}`;
  }

  #gapWords(): string {
    if (this.#gaps.length === 0) return '';
    return ` The log tells of a restored backup, or of rows that were missing, in row ${this.#gaps.join(', ')}; anybody who wrote the log anew could have put that in.`;
  }
}

function timeOf({ stamped, time }: Expected): string {
  return stamped?.toISOString() ?? time ?? 'at an unknown time';
}

/** The hash and date of a verified time stamp; null if there is no valid one. */
async function stampOf(
  { token, place, hash }: StoredHead,
  certificates: readonly string[],
  unproven: Found,
): Promise<{ hash: string; date: Date } | null> {
  if (token === null) return null;
  try {
    const stamp = readStamp(token);
    if (hash !== null && stamp.hash !== hash)
      throw new BadStamp('It stamps another hash than the one beside it');
    await verifyStamp(stamp, certificates);
    return stamp;
  } catch (error) {
    if (!(error instanceof BadStamp)) throw error;
    unproven(null, `${place}: the time stamp does not hold. ${error.message}.`);
    return null;
  }
}
