import { LRUCache } from 'lru-cache';

import { checkpointText, waitingReport } from '#shared/sync/wire.ts';

import { feedHead } from '#server/storage/feed.ts';

import type { Services } from './services.ts';
import type { Viewer } from './viewer.ts';

/** Devices that are remembered. */
const mostDevices = 20_000;

interface Device {
  /** The highest place in the feed that the device has seen, or that its stream has sent. */
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
 * - DEVICES-1 A device is connected, current or behind, until its session ends. What waits on it is counted, with the age
 *   of the oldest change. After some of it arrived, the age is that of the first report, until the next one.
 * - DEVICES-2 Nothing of it is written to the database, and no device can report more than about itself.
 */
export class Devices {
  readonly #now: () => number;
  #streams = 0;
  readonly #known = new LRUCache<string, Device>({ max: mostDevices });

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Notes what a request of `/sync/1` says about its device. */
  meet({ userid, tokenHash }: Viewer, { query }: { query: unknown }): void {
    const { seen, waiting } = query as { seen?: unknown; waiting?: unknown };
    const device = this.#of(userid, tokenHash);
    const place = checkpointText.safeParse(seen);
    if (place.success) device.seq = Math.max(device.seq, Number.parseInt(place.data, 10));
    const report = waitingReport.safeParse(waiting);
    // Older apps do not say what waits on them.
    if (!report.success) return;
    const [count = 0, age = 0] = report.data.split('.').map(Number);
    device.waiting = count;
    device.oldest = count === 0 ? null : this.#now() - age * 1000;
  }

  /** Notes that a device sent a change that it had reported as waiting. */
  sent({ userid, tokenHash }: Viewer): void {
    const device = this.#known.get(keyOf(userid, tokenHash));
    if (device === undefined) return;
    device.waiting = Math.max(0, device.waiting - 1);
    if (device.waiting === 0) device.oldest = null;
  }

  /** Open event streams of all devices. */
  get streams(): number {
    return this.#streams;
  }

  /** Counts a device as connected until the returned function is called. */
  connect({ userid, tokenHash }: Viewer): () => void {
    const device = this.#of(userid, tokenHash);
    device.streams += 1;
    this.#streams += 1;
    return () => {
      device.streams -= 1;
      this.#streams -= 1;
    };
  }

  /** Whether the device with this session follows the changes of the server at this moment. */
  isConnected(tokenHash: string): boolean {
    return (this.#known.get(tokenHash)?.streams ?? 0) > 0;
  }

  /** Notes how far a connected device has been sent the feed. */
  delivered({ userid, tokenHash }: Viewer, seq: number): void {
    const device = this.#of(userid, tokenHash);
    device.seq = Math.max(device.seq, seq);
  }

  /** `head`: the newest place in the feed. `sessions`: the token hashes of the sessions that have not ended. */
  summary(head: number, sessions: ReadonlySet<string>): DeviceSummary {
    const devices = [...this.#known].flatMap(([key, device]) => (sessions.has(key) ? [device] : []));
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
    const made: Device = { seq: 0, streams: 0, waiting: 0, oldest: null };
    this.#known.set(key, made);
    return made;
  }
}

/** The present counts of devices. */
export async function deviceSummary({
  devices,
  storage,
  now,
}: Pick<Services, 'devices' | 'storage' | 'now'>): Promise<DeviceSummary> {
  const rows = await storage.reader
    .selectFrom('tokens')
    .select('token_hash')
    .where('expires_date', '>', Math.floor(now() / 1000))
    .execute();
  return devices.summary(await feedHead(storage.reader), new Set(rows.map(({ token_hash }) => token_hash)));
}

/** Every device has a session of its own. */
function keyOf(userid: number, tokenHash: string | null): string {
  return tokenHash ?? `person ${userid}`;
}
