import { Problem } from '#shared/api/problem.ts';
import { addressBlock } from '#server/platform/caller.ts';
import { busy } from '#server/platform/fair-queue.ts';

import type { Limits } from './limits.ts';

/** A caller: a device of a person, or an anonymous caller at an address. */
export interface Caller {
  /** The name under which requests are counted. */
  name: string;
  /** The name under which bodies in memory and connections are counted: all devices of a person together. */
  holder: string;
  isKnown: boolean;
}

/** The holder name of anonymous callers at an address. */
export function addressHolder(address: string): string {
  return `address ${addressBlock(address)}`;
}

/** The holder name of a person. */
export function personHolder(userid: number): string {
  return `user ${userid}`;
}

/** A request in progress. */
export interface RequestSlot {
  readonly isKnown: boolean;
  /** Starts reading the body. `giveWay` is called, at most once, if it takes too much memory. */
  read(giveWay: (refusal: Problem) => void): void;
  /** Counts received bytes of the body. They are in memory until `leave` is called. */
  hold(bytes: number): void;
  /** The body is complete: it still counts, but can no longer be refused. */
  wasRead(): void;
  leave(): void;
}

interface Body {
  bytes: number;
  giveWay: (refusal: Problem) => void;
}

/** The bodies of one person or address. */
interface Holder {
  bytes: number;
  /** Incomplete bodies. */
  reading: Set<Body>;
}

/** Bodies of all anonymous callers, or of all who are signed in. */
interface Pool {
  most: number;
  bytes: number;
  holders: Map<string, Holder>;
}

const retryAfterSeconds = 5;

type InFlightLimits = Pick<
  Limits,
  'requestsOfCaller' | 'bodyBytesOfCaller' | 'bodyBytesOfStrangers' | 'bodyBytesOfKnown'
>;

/**
 * Limits requests in progress per caller, and bytes of bodies in memory. Anonymous callers never displace callers who
 * are signed in.
 *
 * - LOAD-8 For one device, or one address without a token, 200 requests are answered at the same time; the same
 *   applies to one learner in the player of training modules. Bodies read into memory can use 32 MB per person or
 *   address, 64 MB for all callers who are not signed in, and 128 MB for all who are. Received bytes count, not the
 *   announced size. A caller who exceeds their share gets 429. If the total is used up, the largest body of the caller
 *   who uses the most is refused with 503. Both have `Retry-After`. A caller who uses less than an equal share is
 *   never refused because of the total.
 */
export class InFlight {
  readonly #limits: InFlightLimits;
  readonly #requests = new Map<string, number>();
  readonly #known: Pool;
  readonly #strangers: Pool;

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
    this.#known = { most: limits.bodyBytesOfKnown, bytes: 0, holders: new Map() };
    this.#strangers = { most: limits.bodyBytesOfStrangers, bytes: 0, holders: new Map() };
  }

  /** Counts a request until `leave` of the result is called. @throws Problem 429 if the caller has too many */
  enter({ name, holder, isKnown }: Caller): RequestSlot {
    const requests = this.#requests.get(name) ?? 0;
    if (requests >= this.#limits.requestsOfCaller) throw tooMuch();
    this.#requests.set(name, requests + 1);
    const pool = isKnown ? this.#known : this.#strangers;
    const body: Body = { bytes: 0, giveWay: () => undefined };
    return {
      isKnown,
      read: (giveWay) => {
        body.giveWay = giveWay;
        holderOf(pool, holder).reading.add(body);
      },
      hold: (bytes) => this.#hold(pool, holder, body, bytes),
      wasRead: () => {
        pool.holders.get(holder)?.reading.delete(body);
      },
      leave: () => {
        release(pool, holder, body);
        const left = (this.#requests.get(name) ?? 1) - 1;
        if (left === 0) this.#requests.delete(name);
        else this.#requests.set(name, left);
      },
    };
  }

  #hold(pool: Pool, name: string, body: Body, bytes: number): void {
    const holder = holderOf(pool, name);
    body.bytes += bytes;
    holder.bytes += bytes;
    pool.bytes += bytes;
    if (holder.bytes > this.#limits.bodyBytesOfCaller) {
      release(pool, name, body);
      body.giveWay(tooMuch());
    }
    while (pool.bytes > pool.most) if (!makeRoom(pool)) break;
  }
}

function holderOf({ holders }: Pool, name: string): Holder {
  const known = holders.get(name) ?? { bytes: 0, reading: new Set() };
  holders.set(name, known);
  return known;
}

function release(pool: Pool, name: string, body: Body): void {
  const holder = holderOf(pool, name);
  holder.reading.delete(body);
  holder.bytes -= body.bytes;
  pool.bytes -= body.bytes;
  body.bytes = 0;
  if (holder.bytes === 0 && holder.reading.size === 0) pool.holders.delete(name);
}

/**
 * Refuses the largest body of the caller who is sending the most. False if no sender uses more than an equal share: the
 * new bodies are then accepted in addition to those that cannot be refused.
 */
function makeRoom(pool: Pool): boolean {
  const sending = [...pool.holders].filter(([, { reading }]) => reading.size > 0);
  const [most] = sending.toSorted(([, one], [, other]) => other.bytes - one.bytes);
  if (most === undefined) return false;
  const [name, { bytes, reading }] = most;
  if (bytes <= pool.most / pool.holders.size) return false;
  const [largest] = [...reading].toSorted((one, other) => other.bytes - one.bytes);
  if (largest === undefined) return false;
  release(pool, name, largest);
  largest.giveWay(busy(retryAfterSeconds));
  return true;
}

/** 429 for a caller with too many requests at the same time. */
export function tooMuch(): Problem {
  return new Problem('too-many-requests', 'Too many requests at the same time. Wait and try again', {
    retryAfterSeconds,
  });
}
