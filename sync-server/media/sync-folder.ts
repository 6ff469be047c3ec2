import { open } from 'node:fs/promises';

/** Syncs a folder to disk: without it a rename is not durable. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Shares a wait, such as an fsync, between many callers. A wait that has already begun does not count for a new
 * caller.
 */
export class SharedWait {
  readonly #wait: () => Promise<void>;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(wait: () => Promise<void>) {
    this.#wait = wait;
  }

  /** Resolves after a wait that begins from now on. */
  soon(): Promise<void> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  async #begin(): Promise<void> {
    await this.#running.catch(() => undefined);
    this.#next = undefined;
    this.#running = this.#wait();
    await this.#running;
  }
}
