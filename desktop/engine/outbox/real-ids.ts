import { temporaryId } from '#shared/sync/wire.ts';

import { bare } from '../sync/temporary-ids.ts';

/** What the temporary ids of one person have become on the server, in both directions. */
export class RealIds {
  readonly #real = new Map<string, string>();
  /** With `tmp:`. */
  readonly #temporary = new Map<string, Set<string>>();

  /** The real id of a temporary one (with `tmp:`); undefined while the server has not given one. */
  realId(temporary: string): string | undefined {
    // A step that is put back has its number as its key: "28" may be learnt, and is not an id of guide 28.
    return temporary.startsWith(temporaryId('')) ? this.#real.get(bare(temporary)) : undefined;
  }

  /** The temporary ids (with `tmp:`) that have become this real id. */
  temporaryIds(real: string): Iterable<string> {
    return this.#temporary.get(real) ?? [];
  }

  /** `created`: real ids by temporary ones. */
  learn(created: Record<string, string>): void {
    for (const [temporary, real] of Object.entries(created)) {
      this.forget(temporary);
      this.#real.set(bare(temporary), real);
      const names = this.#temporary.get(real) ?? new Set();
      this.#temporary.set(real, names.add(temporaryId(bare(temporary))));
    }
  }

  /** Forgets the real id of a temporary one. */
  forget(temporary: string): void {
    const id = bare(temporary);
    this.#temporary.get(this.#real.get(id) ?? '')?.delete(temporaryId(id));
    this.#real.delete(id);
  }
}
