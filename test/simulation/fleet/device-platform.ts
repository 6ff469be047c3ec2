import { memoryArchiveFiles } from '#desktop/engine/journal/archive-files.ts';
import type { Platform } from '#desktop/engine/journal/platform.ts';

import type { App } from './app.ts';
import type { DeviceNetwork } from './device-network.ts';
import type { Disk, Life } from './disk.ts';
import type { EventTime } from './event-time.ts';
import { chanceOf } from './stillness.ts';

/** Random numbers and ids of a device. */
export class DeviceChance {
  readonly random: () => number;
  readonly #seed: number;
  readonly #number: number;
  readonly #time: EventTime;
  #uuids = 0;

  /** `number`: of the device. */
  constructor(seed: number, number: number, time: EventTime) {
    this.random = chanceOf(seed * 64 + number);
    this.#seed = seed;
    this.#number = number;
    this.#time = time;
  }

  /** Like a UUIDv7: later ids sort after earlier ones. */
  uuid(): string {
    this.#uuids += 1;
    const time = Math.floor(this.#time.now()).toString(16).padStart(12, '0');
    const count = this.#uuids.toString(16).padStart(8, '0');
    const whose = (this.#seed * 64 + this.#number).toString(16).padStart(8, '0').slice(-8);
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${whose.slice(-4)}${count}`;
  }

  /** The id of a page: it names the device. */
  pageSession(): string {
    return `page-${this.#number}-${this.uuid()}`;
  }
}

/** The parts of a device that its app uses. */
export interface DeviceParts {
  app: App;
  disk: Disk;
  network: DeviceNetwork;
  time: EventTime;
  chance: DeviceChance;
}

/** The platform of an app in this life. */
export function platformOf({ app, disk, network, time, chance }: DeviceParts, life: Life): Platform {
  const environment: Platform['environment'] = {
    now: () => time.wall(),
    monotonic: () => time.monotonic(),
    pageSession: chance.pageSession(),
    uuid: () => chance.uuid(),
    random: () => chance.random(),
    randomBytes: (size) => Uint8Array.from({ length: size }, () => Math.floor(chance.random() * 256)),
    fetch: (input, init) => {
      if (life.isDead) return Promise.reject(new TypeError('The app is dead'));
      return network.fetch(input, init);
    },
    setTimer: (run, ms) => time.setTimer(run, ms),
    online: network.online,
  };
  let locked: Promise<unknown> = Promise.resolve();
  return {
    environment,
    openJournal: () => app.openJournal(life.journalStore(), environment),
    storage: life.storage(disk.storage),
    places: life.places(),
    multiInstance: false,
    lock: (_, run) => {
      const result = locked.then(run);
      locked = result.catch(() => undefined);
      return result;
    },
    secrets: life.secrets(),
    media: life.media(),
    openArchiveFiles: async () => memoryArchiveFiles(disk.archives),
    defaultServer: null,
    appId: null,
    insecure: false,
  };
}
