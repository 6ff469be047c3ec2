import { type Observable, filter, map } from 'rxjs';
import { z } from 'zod';

import { HomeRecord, type RecordCore } from '../home-record.ts';

const stored = z.looseObject({ guideids: z.array(z.string()) });

/** Pinned guides. `isRead`: false while the journal cannot be read. */
export interface PinnedGuides {
  guideids: readonly string[];
  isRead: boolean;
}

/** The guides that a person has pinned for offline use on this device. */
export class Pins {
  /** Emits the present pins, once they are read. */
  readonly state: Observable<PinnedGuides>;
  readonly #record: HomeRecord;

  constructor(core: RecordCore) {
    // Earlier versions stored pins by address and user id.
    this.#record = new HomeRecord(core, 'pins', ({ server, user }) => `pins/${server}/${user?.userid}`);
    this.state = this.#record.state.pipe(
      filter((read) => read !== null),
      map(({ value, error }) => {
        return { guideids: guideidsIn(value) ?? [], isRead: error === null };
      }),
    );
  }

  async add(guideids: readonly string[]): Promise<void> {
    await this.#record.change((before) => ({
      guideids: [...new Set([...(guideidsIn(before) ?? []), ...guideids])],
    }));
  }

  /** Unpins all guides. Resolves when that is journalled. */
  async clear(): Promise<void> {
    await this.#record.change(() => ({ guideids: [] }));
  }

  close(): void {
    this.#record.close();
  }
}

function guideidsIn(value: unknown): string[] | undefined {
  return stored.safeParse(value).data?.guideids;
}
