import { Problem } from '#shared/api/problem.ts';

const dayMs = 24 * 3_600_000;

/** How much each person has sent in files within a day, which begins with the first of it. Forgotten by a restart. */
export class Allowance {
  readonly #now: () => number;
  readonly #most: () => number;
  readonly #sent = new Map<number, { since: number; bytes: number }>();

  /** `most`: bytes that one person may send within a day, as the site says now. */
  constructor(now: () => number, most: () => number) {
    this.#now = now;
    this.#most = most;
  }

  /** @throws Problem 429 `upload-quota` unless so many bytes more may be sent */
  mustHave(userid: number, bytes: number): void {
    const { since, bytes: before } = this.#today(userid);
    if (before + bytes <= this.#most()) return;
    throw new Problem(
      'too-many-requests',
      `You have reached the daily upload quota per person (${Math.round(this.#most() / 1024 ** 3)} GB). Wait and try again`,
      { code: 'upload-quota', retryAfterSeconds: Math.ceil((since + dayMs - this.#now()) / 1000) },
    );
  }

  /** Counts bytes that came. @throws Problem 429 when they are too many */
  count(userid: number, bytes: number): void {
    this.mustHave(userid, bytes);
    const today = this.#today(userid);
    this.#sent.set(userid, { since: today.since, bytes: today.bytes + bytes });
  }

  #today(userid: number): { since: number; bytes: number } {
    const known = this.#sent.get(userid);
    if (known !== undefined && this.#now() < known.since + dayMs) return known;
    return { since: this.#now(), bytes: 0 };
  }
}
