import { Problem } from '#shared/api/problem.ts';

const dayMs = 24 * 3_600_000;

/** The total size of files each person has sent within a day, which starts with the first. A restart resets it. */
export class Allowance {
  readonly #now: () => number;
  readonly #most: () => number;
  readonly #sent = new Map<number, { since: number; bytes: number }>();

  /** `most`: the site's current limit of bytes per person and day. */
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

  /** Counts received bytes. @throws Problem 429 when there are too many */
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
