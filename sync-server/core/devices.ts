import { LRUCache } from 'lru-cache';

import { checkpointText, waitingReport } from '#shared/sync/wire.ts';

import type { Viewer } from './viewer.ts';

/** Devices that are remembered. */
const mostDevices = 20_000;

interface Device {
  userid: number;
  /** Last contact, UNIX milliseconds. */
  at: number;
  /** The highest place in the feed that the device said it has seen. */
  seq: number;
  /** Open event streams: a connected device gets every change at once. */
  streams: number;
  /** Changes that the device has not sent yet. */
  waiting: number;
  /** When the person made the oldest of them, UNIX milliseconds; null if none waits. */
  oldest: number | null;
}

/** Counts of devices, for monitoring. */
export interface DeviceSummary {
  connected: number;
  /** Not connected, and without a change that the server has. */
  behind: number;
  /** Not connected, with everything that the server had when it was asked. */
  current: number;
  /** Devices on which changes wait. */
  waiting: number;
  /** Age of the oldest change that waits on a device, seconds; null if none waits. */
  oldestSeconds: number | null;
}

/**
 * What devices said about themselves at their last contact, since the start of this process.
 *
 * - DEVICES-1 A device is connected, current or behind. What waits on it is counted with its age, which grows until the
 *   device reports otherwise or the server has it.
 * - DEVICES-2 Nothing of it is written to the database, and no device can report more than about itself.
 */
export class Devices {
  readonly #now: () => number;
  readonly #known = new LRUCache<string, Device>({ max: mostDevices });

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Notes what a request of `/sync/1` says about its device. */
  meet({ userid, tokenHash }: Viewer, { query }: { query: unknown }): void {
    const { seen, waiting } = query as { seen?: unknown; waiting?: unknown };
    const device = this.#of(userid, tokenHash);
    device.at = this.#now();
    const place = checkpointText.safeParse(seen);
    if (place.success) device.seq = Math.max(device.seq, Number.parseInt(place.data, 10));
    const report = waitingReport.safeParse(waiting);
    // Older apps do not say what waits on them.
    if (!report.success) return;
    const [count = 0, age = 0] = report.data.split('.').map(Number);
    device.waiting = count;
    device.oldest = count === 0 ? null : device.at - age * 1000;
  }

  /** Notes that a device sent a change that it had reported as waiting. */
  sent({ userid, tokenHash }: Viewer): void {
    const device = this.#known.get(keyOf(userid, tokenHash));
    if (device === undefined) return;
    device.waiting = Math.max(0, device.waiting - 1);
    if (device.waiting === 0) device.oldest = null;
  }

  /** Counts a device as connected until the returned function is called. */
  connect({ userid, tokenHash }: Viewer): () => void {
    const device = this.#of(userid, tokenHash);
    device.streams += 1;
    return () => {
      device.streams -= 1;
      device.at = this.#now();
    };
  }

  /** Notes how far a connected device has been sent the feed. */
  delivered({ userid, tokenHash }: Viewer, seq: number): void {
    const device = this.#of(userid, tokenHash);
    device.seq = Math.max(device.seq, seq);
  }

  /** `head`: the newest place in the feed. */
  summary(head: number): DeviceSummary {
    const devices = [...this.#known.values()];
    const apart = devices.filter(({ streams }) => streams === 0);
    const oldest = devices.flatMap((device) => (device.oldest === null ? [] : [device.oldest]));
    const behind = apart.filter(({ seq }) => seq < head).length;
    return {
      connected: devices.length - apart.length,
      behind,
      current: apart.length - behind,
      waiting: devices.filter(({ waiting }) => waiting > 0).length,
      oldestSeconds: oldest.length === 0 ? null : Math.max(0, (this.#now() - Math.min(...oldest)) / 1000),
    };
  }

  #of(userid: number, tokenHash: string | null): Device {
    const key = keyOf(userid, tokenHash);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made: Device = { userid, at: this.#now(), seq: 0, streams: 0, waiting: 0, oldest: null };
    this.#known.set(key, made);
    return made;
  }
}

/** Every device has a session of its own. */
function keyOf(userid: number, tokenHash: string | null): string {
  return tokenHash ?? `person ${userid}`;
}
