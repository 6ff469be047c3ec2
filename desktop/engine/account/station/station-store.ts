import { z } from 'zod';

import { stationSelf } from '#shared/model/station.ts';
import { tolerant } from '#shared/sync/tolerant.ts';

import type { Platform } from '#desktop/engine/journal/platform.ts';
import { jsonIn } from '#desktop/engine/sync/recognise.ts';

/** Former people whose names are kept. */
export const mostFormer = 200;

/** The station that this device is, as the server described it. */
const stationRecord = z.object({
  /** Base64. Only with it can verifiers be checked. */
  secret: z.string(),
  self: z.union([stationSelf, tolerant(stationSelf)]),
  /** When `self` was read, ms since 1970. */
  at: z.number(),
  /** People who were of the station: their names are still needed for what waits. */
  former: z.array(z.object({ userid: z.int(), username: z.string() })).default([]),
});
export type StationRecord = z.infer<typeof stationRecord>;

/**
 * Stores what a home needs to be a station among the secrets of this device, which the desktop app encrypts. A device is a
 * station while its open home has such a record.
 */
export class StationStore {
  readonly #secrets: Platform['secrets'];
  readonly #name: string;

  constructor({ secrets }: Pick<Platform, 'secrets'>, home: string) {
    this.#secrets = secrets;
    this.#name = `station-${home}`;
  }

  /** Null: the home is not that of a station. */
  async read(): Promise<StationRecord | null> {
    const text = await this.#secrets.read(this.#name);
    return text === undefined ? null : (stationRecord.safeParse(jsonIn(text)).data ?? null);
  }

  async write(record: StationRecord): Promise<void> {
    await this.#secrets.write(this.#name, JSON.stringify(record));
  }

  async forget(): Promise<void> {
    await this.#secrets.remove(this.#name);
  }
}
