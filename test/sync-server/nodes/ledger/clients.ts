import { setTimeout as wait } from 'node:timers/promises';

import { v7 } from 'uuid';

import type { Dice } from '#test/simulation/random.ts';

/** A place that answers: the proxy before the nodes. */
export interface Place {
  url: string;
}

/** What writers and readers noticed that must not happen. */
export type Flaws = string[];

/** Answers while nodes or PostgreSQL are down, or were a moment ago: the call may be repeated. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * A client that writes comments one after the other, each until it is acknowledged, with texts that name the writer and
 * count up.
 */
export class Writer {
  readonly #place: Place;
  readonly #token: string;
  readonly #guideid: number;
  readonly #name: string;
  readonly #flaws: Flaws;
  readonly #dice: Dice;
  /** How many were acknowledged. */
  acknowledged = 0;
  repeated = 0;

  constructor(place: Place, token: string, guideid: number, name: string, flaws: Flaws, dice: Dice) {
    this.#place = place;
    this.#token = token;
    this.#guideid = guideid;
    this.#name = name;
    this.#flaws = flaws;
    this.#dice = dice;
  }

  /** The text of a comment, from 1. */
  textOf(number: number): string {
    return `${this.#name}-${number}`;
  }

  async write(): Promise<void> {
    const text = this.textOf(this.acknowledged + 1);
    const key = v7();
    for (;;) {
      const answer = await this.#send(text, key);
      if (answer === 201) break;
      if (answer !== null && !passing.has(answer)) {
        this.#flaws.push(`${text} was answered ${answer}`);
        return;
      }
      this.repeated += 1;
      await wait(20 + this.#dice.below(100));
    }
    this.acknowledged += 1;
  }

  /** The status; null: no answer, sometimes because this client did not wait for it. */
  async #send(text: string, key: string): Promise<number | null> {
    const isImpatient = this.#dice.below(50) === 0;
    try {
      const answer = await fetch(`${this.#place.url}/api/2.0/comments/guide/${this.#guideid}`, {
        method: 'POST',
        headers: {
          Authorization: `api ${this.#token}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
        },
        body: JSON.stringify({ text }),
        ...(isImpatient && { signal: AbortSignal.timeout(this.#dice.below(30)) }),
      });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return null;
    }
  }
}

interface Line {
  c?: string;
  id?: string;
  seq?: number;
  doc?: { text_raw?: string };
  checkpoint?: string;
  more?: boolean;
}

/** A client that follows the feed by checkpoint, each page from whichever node the proxy asks. */
export class Reader {
  readonly #place: Place;
  readonly #token: string;
  readonly #name: string;
  readonly #flaws: Flaws;
  #checkpoint: string;
  #seq = 0;
  /** The comments in the order in which it got them. */
  readonly texts: string[] = [];
  readonly #known = new Set<string>();

  constructor(place: Place, token: string, name: string, checkpoint: string, flaws: Flaws) {
    this.#place = place;
    this.#token = token;
    this.#name = name;
    this.#checkpoint = checkpoint;
    this.#flaws = flaws;
  }

  /** Reads a page. Returns whether there is more; undefined: there was no answer. */
  async page(): Promise<boolean | undefined> {
    const lines = await this.#ask();
    if (lines === null) return undefined;
    const tail = lines.at(-1);
    if (tail?.checkpoint === undefined) return undefined;
    for (const line of lines.slice(1, -1)) this.#take(line);
    this.#checkpoint = tail.checkpoint;
    return tail.more === true;
  }

  #take({ c, id, seq = 0, doc }: Line): void {
    if (seq <= this.#seq) this.#flaws.push(`${this.#name}: row ${seq} came after row ${this.#seq}`);
    this.#seq = seq;
    if (c !== 'comments' || doc === undefined) return;
    const text = doc.text_raw ?? '';
    if (this.#known.has(text)) this.#flaws.push(`${this.#name}: ${text} (${id}) came twice`);
    this.#known.add(text);
    this.texts.push(text);
  }

  async #ask(): Promise<Line[] | null> {
    try {
      const answer = await fetch(
        `${this.#place.url}/sync/1/pull?since=${this.#checkpoint}&collections=comments&limit=2000`,
        { headers: { Authorization: `api ${this.#token}` } },
      );
      const text = await answer.text();
      if (answer.status !== 200) {
        if (!passing.has(answer.status))
          this.#flaws.push(`${this.#name}: pull was answered ${answer.status} ${text}`);
        return null;
      }
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line);
    } catch {
      // A node was killed in the middle of the answer.
      return null;
    }
  }
}
