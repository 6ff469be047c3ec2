import { stat } from 'node:fs/promises';
import { basename } from 'node:path';

import { IpcError } from '#desktop/ipc.ts';

import type { IpcHandlers } from './ipc.ts';
import { readPart } from './file-bytes.ts';

type OpenedCalls = Pick<IpcHandlers, 'openedFiles' | 'openedFileRead' | 'openedFileDone'>;
type OpenedFile = Awaited<ReturnType<OpenedCalls['openedFiles']>>[number];

/** A page asks again after this time, ms. */
const longestWait = 10 * 60_000;

/**
 * Files that a person opened with the app, until the page has read them. The page identifies them by tickets and
 * never sees their paths.
 */
export class OpenedFiles {
  readonly #paths = new Map<number, string>();
  #tickets = 0;
  readonly #takes: () => boolean;
  #answer: () => void = () => undefined;
  #closed = false;

  /** `takes`: whether files are opened at all; asked for each start. */
  constructor(takes: () => boolean) {
    this.#takes = takes;
  }

  add(paths: readonly string[]): void {
    if (!this.#takes()) return;
    for (const path of paths) {
      this.#tickets += 1;
      this.#paths.set(this.#tickets, path);
    }
    if (paths.length > 0) this.#answer();
  }

  /** The files that no page has read to the end. */
  get paths(): string[] {
    return [...this.#paths.values()];
  }

  readonly handlers: OpenedCalls = {
    openedFiles: async (seen) => {
      // A reloaded page asks again. The waiting call of the previous page must end, so that it does not take the
      // files.
      this.#answer();
      if (!this.#hasBeyond(seen) && !this.#closed) await this.#wait();
      return this.#beyond(seen);
    },
    openedFileRead: async (ticket, at, length) => readPart(this.#pathOf(ticket), at, length),
    openedFileDone: async (ticket) => {
      this.#paths.delete(ticket);
      return undefined;
    },
  };

  /** Ends waiting calls when the app closes. */
  close(): void {
    this.#closed = true;
    this.#answer();
  }

  #hasBeyond(seen: number): boolean {
    return [...this.#paths.keys()].some((ticket) => ticket > seen);
  }

  /**
   * The files with tickets above `seen`. A file that cannot be read is included with size 0, so that the page can
   * report it.
   */
  async #beyond(seen: number): Promise<OpenedFile[]> {
    const files: OpenedFile[] = [];
    for (const [ticket, path] of this.#paths) {
      if (ticket <= seen) continue;
      const facts = await stat(path).catch(() => null);
      files.push({ ticket, name: basename(path), size: facts?.isFile() === true ? facts.size : 0 });
    }
    return files;
  }

  async #wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#answer = resolve;
    const timer = setTimeout(resolve, longestWait);
    await promise;
    clearTimeout(timer);
  }

  #pathOf(ticket: number): string {
    const path = this.#paths.get(ticket);
    if (path === undefined) throw new IpcError('unavailable', 'This file was handed over before');
    return path;
  }
}
