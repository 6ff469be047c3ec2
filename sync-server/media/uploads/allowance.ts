import { Problem } from '#shared/api/problem.ts';

const dayMs = 24 * 3_600_000;

/**
 * Counts the size of the files that each person sends within a day, which begins with the first file.
 *
 * - LOAD-12 The total size of files that one person can send within a day is limited (setting
 *   `upload_gigabytes_per_day`, 20 by default; 429, `upload-quota`), in addition to the quota of unfinished uploads
 *   (UPLOAD-5). A restart resets the day.
 */
export class Allowance {
  readonly #now: () => number;
  readonly #most: () => number;
  readonly #sent = new Map<number, { since: number; bytes: number }>();

  /** `most`: returns the site's current limit, bytes per person and day. */
  constructor(now: () => number, most: () => number) {
    this.#now = now;
    this.#most = most;
  }

  /** @throws Problem 429 `upload-quota` unless the person may send `bytes` more */
  mustHave(userid: number, bytes: number): void {
    const { since, bytes: before } = this.#today(userid);
    if (before + bytes <= this.#most()) return;
    throw new Problem(
      'too-many-requests',
      `You have reached the daily upload quota per person (${Math.round(this.#most() / 1024 ** 3)} GB). Wait and try again`,
      { code: 'upload-quota', retryAfterSeconds: Math.ceil((since + dayMs - this.#now()) / 1000) },
    );
  }

  /** Counts received bytes. @throws Problem 429 if there are too many */
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
