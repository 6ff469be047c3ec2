import { type Observable, filter, map } from 'rxjs';
import { z } from 'zod';

import type { OfflineChoice } from '#desktop/engine/api/offline-records.ts';
import { type HomeValue, HomeRecord, type RecordCore } from '../home-record.ts';

const storedChoice = z.object({
  everything: z.boolean(),
  favorites: z.boolean(),
  categories: z.array(z.string()),
  tags: z.array(z.string()),
  teams: z.array(z.int()),
});
const storedPause = z.object({ isPaused: z.boolean() });
const storedFields = z.record(z.string(), z.unknown());

/** What a person wants on this device, and whether loading it is paused. */
export interface OfflineSetting {
  choice: OfflineChoice;
  isPaused: boolean;
  /** The stored choice could not be read; `choice` is the usual one. */
  isUnread: boolean;
}

/** Before a person chooses. */
export const usualChoice: OfflineChoice = {
  everything: false,
  favorites: true,
  categories: [],
  tags: [],
  teams: [],
};

/**
 * The setting of the person who is signed in.
 *
 * - CARRY-5 Each person has a setting of their own on each device. Choice and pause survive a restart. While loading is
 *   paused, only what must stay (CARRY-3) is loaded.
 * - CARRY-17 A choice that cannot be read is said, and counts as the usual one until the person chooses again. Until then
 *   nothing is removed, since the person may have chosen more.
 */
export class OfflineSettings {
  readonly #record: HomeRecord;

  constructor(core: RecordCore) {
    this.#record = new HomeRecord(core, 'offline');
  }

  /** Emits the setting whenever it changes, and once it is read. */
  get setting(): Observable<OfflineSetting> {
    return this.#record.state.pipe(
      filter((read) => read !== null),
      map(settingOf),
    );
  }

  /**
   * Changes the setting. Resolves when that is journalled. Throws `HomeChanged` when somebody else signs in meanwhile. A
   * choice that cannot be read stays as it is until another one is made.
   */
  async change({ choice, isPaused }: Partial<Pick<OfflineSetting, 'choice' | 'isPaused'>>): Promise<void> {
    await this.#record.change((before) => ({
      ...usualChoice,
      isPaused: false,
      ...storedFields.safeParse(before).data,
      ...choice,
      ...(isPaused === undefined ? {} : { isPaused }),
    }));
  }

  close(): void {
    this.#record.close();
  }
}

function settingOf({ value, error }: HomeValue): OfflineSetting {
  const choice = storedChoice.safeParse(value).data;
  return {
    choice: choice ?? usualChoice,
    isPaused: storedPause.safeParse(value).data?.isPaused ?? false,
    isUnread: error !== null || (choice === undefined && value !== undefined),
  };
}
