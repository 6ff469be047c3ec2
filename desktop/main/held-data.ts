import { rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Refusal } from './refused-start.ts';

const socketName = 'running.sock';
/** Systems take about 104; Node would cut a longer one, bytes. */
const longestPath = 100;
/** A process that does not answer at all counts as none, ms. */
const longestAnswer = 2000;

/**
 * Shows others that this process works with the folder, until it ends. Resolves to null, or to why the program must not
 * start: another process does. Where there can be no such socket (Windows, a path of more than about 100 bytes, a file
 * system without sockets) only the lock of Electron protects the folder.
 *
 * - ELECTRON-90 A second process does not work with the same data, also if the lock of Electron does not keep it out. Its
 *   socket is in a folder for temporary files, where cleaners remove it.
 */
export async function holdData(folder: string, platform: NodeJS.Platform): Promise<Refusal | null> {
  const path = join(folder, socketName);
  if (platform === 'win32' || Buffer.byteLength(path) > longestPath) return null;
  if (await isAnswered(path)) return { why: 'running', detail: folder };
  await rm(path, { force: true }).catch(() => undefined);
  (await listen(path))?.unref();
  return null;
}

async function isAnswered(path: string): Promise<boolean> {
  const socket = connect(path);
  const answer = new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  try {
    return await Promise.race([answer, sleep(longestAnswer, false, { ref: false })]);
  } finally {
    socket.destroy();
  }
}

function listen(path: string): Promise<Server | null> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve) => {
    server.once('error', () => resolve(null));
    server.listen(path, () => resolve(server));
  });
}
