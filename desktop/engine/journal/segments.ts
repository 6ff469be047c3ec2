import { concatBytes } from './bytes.ts';
import { encodeFrame } from './format.ts';
import { type JournalState, segmentName } from './replay.ts';
import { encodeSnapshot } from './snapshot.ts';
import { type JournalStore } from './store.ts';

// A segment is rewritten once what was appended outweighs what it began with, and is worth the trouble.
const WORTH_COMPACTING = 256 * 1024;

/** The one open end of the journal: knows where the next frame goes. Its calls may not overlap. */
export class Segments {
  readonly #store: JournalStore;
  #segment: number;
  #end: number;
  #beganWith = 0;

  #newestSealed: number;

  constructor(
    store: JournalStore,
    current: { segment: number; end: number; sealed: boolean; beganWith: number },
  ) {
    this.#beganWith = current.beganWith;
    this.#store = store;
    this.#segment = current.segment;
    this.#end = current.end;
    this.#newestSealed = current.sealed ? current.segment : 0;
  }

  /** The segment below which nothing counts any more, or 0. */
  get newestSealed(): number {
    return this.#newestSealed;
  }

  get worthCompacting(): boolean {
    return this.#end > 2 * this.#beganWith + WORTH_COMPACTING;
  }

  /** Writes the payloads as batches with one fsync; after a failure the next append overwrites what was left. */
  async append(payloads: readonly Uint8Array[]): Promise<void> {
    const frames: Uint8Array[] = [];
    let end = this.#end;
    for (const payload of payloads) {
      const frame = encodeFrame({ kind: 'batch', payload }, this.#segment, end);
      frames.push(frame);
      end += frame.length;
    }
    await this.#store.append(segmentName(this.#segment), this.#end, concatBytes(frames));
    this.#end = end;
  }

  /** Moves `state` to a new segment; resolves to the name of the old one, which may then go. */
  async rewrite(state: JournalState, keptSegments: number[]): Promise<string> {
    const next = this.#segment + 1;
    const name = segmentName(next);
    let end = 0;
    // Each write gives the page its turn: a long journal takes seconds.
    for (const part of encodeSnapshot(state, next, keptSegments)) {
      await (end === 0 ? this.#store.write(name, part) : this.#store.append(name, end, part));
      end += part.length;
    }
    const old = segmentName(this.#segment);
    this.#segment = next;
    this.#end = end;
    this.#beganWith = end;
    this.#newestSealed = next;
    return old;
  }

  /** The segment that a failed `rewrite` may have left half written. */
  get nextName(): string {
    return segmentName(this.#segment + 1);
  }
}
