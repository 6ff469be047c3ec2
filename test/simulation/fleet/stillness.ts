import { createHash } from 'node:crypto';
import nodeCrypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

import { randomOf } from '../random.ts';
import type { EventTime } from './event-time.ts';

/** The current source of time and chance for the code of this thread. */
export interface Source {
  time: EventTime;
  random: () => number;
}

let source: Source | null = null;
let outstanding = 0;

const real = {
  setImmediate: globalThis.setImmediate,
  setTimeout: globalThis.setTimeout,
};

/** Sets the source of time and chance for the code of this thread. */
export function giveSource(next: Source): void {
  source = next;
}

/** A source of chance derived from a seed. */
export function chanceOf(seed: number): () => number {
  return randomOf(seed);
}

function present(): Source {
  if (source === null) throw new Error('No time was given to this thread');
  return source;
}

function randomBytes<T extends ArrayBufferView>(into: T): T {
  const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
  const { random } = present();
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Math.floor(random() * 256);
  return into;
}

function uuid(): `${string}-${string}-${string}-${string}-${string}` {
  const hex = Buffer.from(randomBytes(new Uint8Array(16))).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/**
 * Replaces timers, clocks and random numbers of this thread by those of `giveSource`. Work outside the turns of the
 * event loop (signatures, blobs) is counted, so that `settled` can wait for it.
 */
export function takeOver(): void {
  type Cancel = { cancel: () => void; unref(): Cancel; ref(): Cancel; hasRef(): boolean };
  const timer = (cancel: () => void): Cancel => {
    const handle: Cancel = { cancel, unref: () => handle, ref: () => handle, hasRef: () => false };
    return handle;
  };
  const clear = (handle: unknown): void => {
    if (typeof handle === 'object' && handle !== null && 'cancel' in handle) (handle as Cancel).cancel();
  };
  const setOnce = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): Cancel =>
    timer(present().time.setTimer(() => run(...args), ms));
  const setAgain = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): Cancel => {
    let stop: () => void = () => undefined;
    const { time } = present();
    const next = (): void => {
      stop = time.setTimer(
        () => {
          next();
          run(...args);
        },
        Math.max(1, ms),
      );
    };
    next();
    return timer(() => stop());
  };
  Object.assign(globalThis, {
    setTimeout: setOnce,
    setInterval: setAgain,
    clearTimeout: clear,
    clearInterval: clear,
  });
  Math.random = () => present().random();
  const RealDate = Date;
  class VirtualDate extends RealDate {
    constructor(...args: [] | [number]) {
      if (args.length === 0) super(present().time.wall());
      else super(...args);
    }
    static override now(): number {
      return present().time.wall();
    }
  }
  globalThis.Date = VirtualDate as DateConstructor;
  performance.now = () => present().time.monotonic();
  Object.assign(crypto, { randomUUID: uuid, getRandomValues: randomBytes });
  Object.assign(crypto.subtle, {
    digest: async (_: unknown, data: ArrayBuffer | ArrayBufferView) => {
      const bytes = ArrayBuffer.isView(data)
        ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
        : new Uint8Array(data);
      return new Uint8Array(createHash('sha256').update(bytes).digest()).buffer;
    },
  });
  counted(SubtleCrypto.prototype, ['importKey', 'verify', 'sign']);
  counted(Blob.prototype, ['arrayBuffer', 'text']);
  nodeCrypto.randomUUID = uuid;
  nodeCrypto.randomBytes = ((size: number) => Buffer.from(randomBytes(new Uint8Array(size)))) as never;
  syncBuiltinESMExports();
}

function counted(prototype: object, names: readonly string[]): void {
  for (const name of names) {
    const method = Reflect.get(prototype, name) as (...args: unknown[]) => Promise<unknown>;
    Object.defineProperty(prototype, name, {
      configurable: true,
      writable: true,
      value: function counting(this: unknown, ...args: unknown[]): Promise<unknown> {
        return during(Reflect.apply(method, this, args));
      },
    });
  }
}

/** Work that `settled` waits for. */
export async function during<T>(work: Promise<T>): Promise<T> {
  outstanding += 1;
  try {
    return await work;
  } finally {
    outstanding -= 1;
  }
}

/** Handles that keep a thread alive without doing work. */
const idle = new Set(['MessagePort', 'Immediate', 'Timeout', 'TTYWrap', 'PipeWrap', 'CloseReq']);

/** Resolves when nothing in this thread continues by itself: everything waits for time or for another thread. */
export async function settled(): Promise<void> {
  for (let quiet = 0; quiet < 2;) {
    await new Promise<void>((resolve) => void real.setImmediate(resolve));
    const resources = process.getActiveResourcesInfo();
    const isBusy =
      outstanding > 0 || resources.some((one) => !idle.has(one)) || resources.includes('Immediate');
    if (isBusy && outstanding > 0) await new Promise<void>((resolve) => void real.setTimeout(resolve, 1));
    quiet = isBusy ? 0 : quiet + 1;
  }
}
