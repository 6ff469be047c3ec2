import type { Logger } from 'pino';

import { makeLog } from '#server/platform/log.ts';

/** The log of the server, made as the program makes it, but kept in `lines`, one JSON text each. */
export function memoryLog(lines: string[], level = 'warn'): Logger {
  return makeLog(level, { write: (line) => void lines.push(line) });
}
