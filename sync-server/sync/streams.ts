import type { Viewer } from '#server/core/viewer.ts';
import type { Limits } from '#server/http/limits.ts';
import { busy } from '#server/platform/fair-queue.ts';

import { Heartbeat } from './heartbeat.ts';

type StreamLimits = Pick<Limits, 'streamsOfDevice' | 'streamsOfPerson' | 'streams' | 'heartbeatMs'>;

interface Stream {
  userid: number;
  device: string;
  end: () => void;
}

/**
 * The open event streams.
 *
 * - LOAD-7 A device can have 10 event streams, and a person 100. Beyond that, the oldest ends, because it may be dead
 *   without the server knowing and must not lock its device out. In total there can be 12,000; beyond that, the answer
 *   is 503 with `Retry-After`. A device can begin 120 streams in a minute; beyond that, the answer is 429.
 */
export class Streams {
  readonly #limits: StreamLimits;
  /**
   * Sends comment lines, which keep proxies from closing the stream, or the checkpoint if it moved, and checks whether
   * the token has expired.
   */
  readonly heartbeat: Heartbeat;
  readonly #open = new Set<Stream>();
  readonly #ofDevice = new Map<string, Set<Stream>>();
  readonly #ofPerson = new Map<number, Set<Stream>>();

  constructor(limits: StreamLimits) {
    this.#limits = limits;
    this.heartbeat = new Heartbeat(limits.heartbeatMs);
  }

  /**
   * Counts a stream until the returned function is called. `end`: ends the stream.
   * @throws Problem 503 if there are too many in total
   */
  enter({ userid, tokenHash }: Pick<Viewer, 'userid' | 'tokenHash'>, end: () => void): () => void {
    const stream: Stream = { userid, device: tokenHash ?? '', end };
    this.#endOldest(this.#ofDevice.get(stream.device), this.#limits.streamsOfDevice);
    this.#endOldest(this.#ofPerson.get(userid), this.#limits.streamsOfPerson);
    if (this.#open.size >= this.#limits.streams) throw busy(60);
    this.#open.add(stream);
    added(this.#ofDevice, stream.device, stream);
    added(this.#ofPerson, userid, stream);
    return () => this.#forget(stream);
  }

  #endOldest(streams: Set<Stream> | undefined, most: number): void {
    const [oldest] = streams ?? [];
    if (oldest === undefined || (streams?.size ?? 0) < most) return;
    this.#forget(oldest);
    oldest.end();
  }

  #forget(stream: Stream): void {
    this.#open.delete(stream);
    removed(this.#ofDevice, stream.device, stream);
    removed(this.#ofPerson, stream.userid, stream);
  }
}

function added<K>(all: Map<K, Set<Stream>>, key: K, stream: Stream): void {
  const some = all.get(key) ?? new Set();
  some.add(stream);
  all.set(key, some);
}

function removed<K>(all: Map<K, Set<Stream>>, key: K, stream: Stream): void {
  const some = all.get(key);
  some?.delete(stream);
  if (some?.size === 0) all.delete(key);
}
