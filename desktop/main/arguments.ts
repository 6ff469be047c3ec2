import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Refusal } from './refused-start.ts';

/**
 * The server named by `--server=url`, without a trailing slash; null if there is none. Addresses that are not http(s)
 * are ignored, so that a wrong argument does not keep the app from starting.
 */
export function serverArgument(given: readonly string[]): string | null {
  const prefix = '--server=';
  const text = given.findLast((one) => one.startsWith(prefix))?.slice(prefix.length) ?? '';
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/**
 * The archives given on the command line, as absolute paths. Relative paths are resolved against `folder`. File
 * managers on Linux pass `file:` URLs.
 */
export function fileArguments(given: readonly string[], folder: string): string[] {
  return given
    .slice(1)
    .flatMap((one) => (one.startsWith('file:') ? pathsOf(one) : [one]))
    .filter((one) => !one.startsWith('-') && /\.(omanual|oman|zip|xml)$/i.test(one))
    .map((one) => resolve(folder, one));
}

/** A running program takes at most 32 KB from a second start: its arguments and the path of its folder. Bytes. */
const mostArgumentBytes = 24 * 1024;

/**
 * Why the program must not start with these arguments; null if it can.
 *
 * - ELECTRON-89 A start with more arguments than it can hand over to the running program says so and ends. Chromium ends
 *   the running program when it gets more (SIGTRAP), with what was typed in the last moment.
 */
export function argumentsRefusal(given: readonly string[], platform: NodeJS.Platform): Refusal | null {
  const bytes = given.reduce((sum, one) => sum + Buffer.byteLength(one) + 1, 0);
  // Windows hands over all that it accepts.
  if (platform === 'win32' || bytes <= mostArgumentBytes) return null;
  return { why: 'tooManyFiles', detail: given.length - 1 };
}

/** The arguments of the next start: the present ones, without files that were opened then, and these files. */
export function argumentsAgain(given: readonly string[], files: readonly string[]): string[] {
  const kept = given.slice(1).filter((one) => fileArguments(['', one], '/').length === 0);
  return [...kept, ...files];
}

/**
 * Whether a new device keeps its key in a file, as `--keep-key-in-file` demands: for stations that start without a
 * person and without a system keyring.
 */
export function keepsKeyInFile(given: readonly string[]): boolean {
  return given.includes('--keep-key-in-file');
}

/** Whether the window is to fill the screen, as `--kiosk` demands: for stations, from the first start. */
export function asksForKiosk(given: readonly string[]): boolean {
  return given.includes('--kiosk');
}

function pathsOf(address: string): string[] {
  try {
    return [fileURLToPath(address)];
  } catch {
    return [];
  }
}
