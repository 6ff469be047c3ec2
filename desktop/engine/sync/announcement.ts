import type { Environment } from '../platform/ports.ts';
import type { HighWaterMark } from './mirror/high-water-mark.ts';
import type { SpokenProtocol } from './spoken-protocol.ts';

/** What waits to be sent. `oldestAt`: when the oldest of it was stored, ms since 1970. */
export interface Waiting {
  count: number;
  oldestAt: number;
}

/** What every request to `/sync/1` tells the server about this device. */
export class Announcement {
  readonly #environment: Environment;
  readonly #protocol: SpokenProtocol;
  readonly #seen: Pick<HighWaterMark, 'place'>;
  #readWaiting: () => Waiting | null = () => null;
  /** The id of the server that may answer; null: any. */
  expected: string | null = null;

  constructor(environment: Environment, protocol: SpokenProtocol, seen: Pick<HighWaterMark, 'place'>) {
    this.#environment = environment;
    this.#protocol = protocol;
    this.#seen = seen;
  }

  /** Reports from now on what waits to be sent, as `read` finds it. */
  reportWaiting(read: () => Waiting | null): void {
    this.#readWaiting = read;
  }

  /**
   * Adds to a path the protocols of this device, the highest checkpoint that it ever saw, what waits to be sent, the id of
   * the expected server, and the id of the request (`name`). A request without a token may go to any server.
   */
  addTo(path: string, { credentials }: RequestInit, name: string): string {
    if (!path.startsWith('/sync/1/')) return path;
    const { place } = this.#seen;
    const seen = place === null ? '' : `&seen=${place}`;
    const isForAnybody = this.expected === null || credentials === 'omit';
    const server = isForAnybody ? '' : `&server=${this.expected}`;
    const waiting = isForAnybody ? '' : `&waiting=${this.#waitingText()}`;
    const asker = `protocol=${this.#protocol.announced}${seen}${waiting}${server}&request=${name}`;
    return `${path}${path.includes('?') ? '&' : '?'}${asker}`;
  }

  /** `{count}.{age of the oldest in seconds}`, for monitoring at the server. */
  #waitingText(): string {
    const waiting = this.#readWaiting();
    if (waiting === null) return '0.0';
    const age = Math.max(0, Math.floor((this.#environment.now() - waiting.oldestAt) / 1000));
    return `${waiting.count}.${age}`;
  }
}
