import { BehaviorSubject, type Observable } from 'rxjs';

import { announced, type ProtocolRange } from '#shared/sync/protocol.ts';

import { TooOld, type TooOldSide, Unreachable } from './connection-errors.ts';
import type { Refusal } from './recognise.ts';

/** The protocol that device and server speak. Until the server has answered, the oldest one of this device. */
export class SpokenProtocol {
  readonly #range: ProtocolRange;
  readonly #tooOld = new BehaviorSubject<TooOldSide | null>(null);
  #current: number;

  constructor(range: ProtocolRange) {
    this.#range = range;
    this.#current = range.oldest;
  }

  /** The protocol of the messages that are sent. */
  get current(): number {
    return this.#current;
  }

  /** Which side is too old for the other; null: neither, or the server has not said yet. */
  get tooOld(): Observable<TooOldSide | null> {
    return this.#tooOld;
  }

  /** The range of this device as requests carry it. */
  get announced(): string {
    return announced(this.#range);
  }

  /**
   * Learns from an answer which protocol is spoken.
   * @throws TooOld when this device does not speak it
   */
  learn(protocol: number): void {
    if (protocol < this.#range.oldest) throw this.#apart('server');
    if (protocol > this.#range.newest) throw this.#apart('app');
    this.#current = protocol;
    this.#tooOld.next(null);
  }

  /**
   * @throws TooOld when a refusal says that the two have no protocol in common
   * @throws Unreachable when it refuses the number of the protocol: the next request uses the oldest one
   */
  checkRefusal(refusal: Refusal): void {
    const code = 'code' in refusal ? refusal.code : null;
    if (code === 'client-too-old') throw this.#apart('app');
    if (code === 'server-too-old') throw this.#apart('server');
    // A server that knows only one protocol refuses the number of any other.
    const isNumber = refusal.errors?.some(({ field }) => field === 'protocol') === true;
    if (!isNumber) return;
    const isOldest = this.#current === this.#range.oldest;
    this.#current = this.#range.oldest;
    throw isOldest ? this.#apart('server') : new Unreachable('The server speaks another protocol now');
  }

  #apart(side: TooOldSide): TooOld {
    this.#tooOld.next(side);
    return new TooOld(side);
  }
}
