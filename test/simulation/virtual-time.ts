import { randomOf } from './random.ts';

/** Default of virtual ms per turn of the event loop. */
const stepMs = 200;

/**
 * Time of a simulated device. It passes in steps, one per turn of the event loop, while it is running and not held: a
 * slow machine makes a run longer, but never ends a wait before its event.
 */
export class VirtualTime {
  readonly #timers = new Set<{ at: number; run: () => void }>();
  #now: number;
  readonly #began: number;
  #runners = 0;
  #holders = 0;
  #isTicking = false;

  readonly #step: number;

  /** `step`: virtual ms per turn of the event loop; small where the device's own work should not count. */
  constructor(now: number, step = stepMs) {
    this.#step = step;
    this.#now = now;
    this.#began = now;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now - this.#began;
  }

  /** Advances the time for an action of a person: no two actions happen at the same moment. */
  pass(ms: number): void {
    this.#now += ms;
  }

  /** Lets time pass until `work` is done. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#runners += 1;
    this.#tick();
    try {
      return await work;
    } finally {
      this.#runners -= 1;
    }
  }

  /** Stops time until `work` is done, because the duration of a request is not virtual. */
  async hold<T>(work: Promise<T>): Promise<T> {
    this.#holders += 1;
    try {
      return await work;
    } finally {
      this.#holders -= 1;
    }
  }

  setTimer(run: () => void, ms: number): () => void {
    const timer = { at: this.#now + Math.max(0, ms), run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  #tick(): void {
    if (this.#isTicking || this.#runners === 0) return;
    this.#isTicking = true;
    setTimeout(() => {
      this.#isTicking = false;
      if (this.#holders === 0) this.#now += this.#step;
      this.#fire();
      this.#tick();
    }, 1);
  }

  #fire(): void {
    const due = [...this.#timers].filter(({ at }) => at <= this.#now).toSorted((a, b) => a.at - b.at);
    for (const timer of due) if (this.#timers.delete(timer)) timer.run();
  }
}

/** Ids and random numbers of a device in one run; no two runs or devices share an id. */
export class VirtualChance {
  #count = 0;
  #prefix = '00000000-0000';
  #random = randomOf(0);

  begin(seed: number, device: number): void {
    this.#prefix = `${hex(seed, 8)}-${hex(device, 4)}`;
    this.#count = 0;
    this.#random = randomOf(seed * 2 + device);
  }

  uuid(): string {
    this.#count += 1;
    return `${this.#prefix}-7000-8000-${hex(this.#count, 12)}`;
  }

  random(): number {
    return this.#random();
  }
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
