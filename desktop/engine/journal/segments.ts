import type { Cipher } from '../platform/cipher.ts';
import { concatBytes } from './bytes.ts';
import { encodeFrame } from './format.ts';
import { segmentName } from './replay.ts';
import { encodeSnapshot } from './snapshot.ts';
import type { JournalState } from './state.ts';
import { type JournalStore } from './store.ts';

// A segment is rewritten when this many bytes and twice its initial size were written.
const WORTH_COMPACTING = 256 * 1024;

/** Writes the segments of a journal. Its calls must not overlap. */
export class Segments {
  readonly #store: JournalStore;
  readonly #cipher: Cipher | undefined;
  #segment: number;
  #end: number;
  #beganWith = 0;

  #newestSealed: number;

  constructor(
    store: JournalStore,
    current: { segment: number; end: number; sealed: boolean; beganWith: number },
    cipher: Cipher | undefined,
  ) {
    this.#cipher = cipher;
    this.#beganWith = current.beganWith;
    this.#store = store;
    this.#segment = current.segment;
    this.#end = current.end;
    this.#newestSealed = current.sealed ? current.segment : 0;
  }

  /** The newest sealed segment, which replaces all earlier ones; 0 if there is none. */
  get newestSealed(): number {
    return this.#newestSealed;
  }

  get worthCompacting(): boolean {
    return this.#end > 2 * this.#beganWith + WORTH_COMPACTING;
  }

  /** Writes the payloads as batches with one fsync. After a failure the next append overwrites the remains. */
  async append(payloads: readonly Uint8Array[]): Promise<void> {
    const frames: Uint8Array[] = [];
    let end = this.#end;
    for (const payload of payloads) {
      const frame = encodeFrame({ kind: 'batch', payload }, this.#segment, end, this.#cipher);
      frames.push(frame);
      end += frame.length;
    }
    await this.#store.append(segmentName(this.#segment), this.#end, concatBytes(frames));
    this.#end = end;
  }

  /** Writes `state` into a new segment. Resolves to the name of the old one, which may then be removed. */
  async rewrite(state: JournalState, keptSegments: number[]): Promise<string> {
    const next = this.#segment + 1;
    const name = segmentName(next);
    let end = 0;
    // Between writes the page can do other work: a long journal takes seconds.
    for (const part of encodeSnapshot(state, next, keptSegments, this.#cipher)) {
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

  /** Name of the segment that a failed `rewrite` may have left incomplete. */
  get nextName(): string {
    return segmentName(this.#segment + 1);
  }
}
