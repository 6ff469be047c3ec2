import type { CoreActions, CoreViews } from './api/engine.ts';
import type { AreaActions, AreaViews } from './areas/index.ts';

export type { Live } from './api/engine.ts';

/**
 * Every live read of the app. Each value is the mirror with waiting calls on top, so a person sees their changes
 * immediately, online or offline. Views never wait for the network.
 */
export interface Views extends CoreViews, AreaViews {}

/**
 * Every write of the app. A promise resolves when the change is journalled ("Saved on this device"), not when the
 * server has it. Ids of records are strings: the server's number, or `tmp:…` until it has one.
 */
export interface Actions extends CoreActions, AreaActions {}

/** The device engine: no React, no Electron. */
export interface Engine {
  views: Views;
  actions: Actions;
  /**
   * Resolves when everything that was entered is journalled. If the disk refuses something, the rest is still stored; then it
   * rejects, and what was refused stays in memory and is tried again.
   */
  save(): Promise<void>;
  /** Whether actions may wait because the disk is full. */
  waitsForDisk(): boolean;
  /** Closes database, journal and streams; waiting work stays. */
  close(): Promise<void>;
}
