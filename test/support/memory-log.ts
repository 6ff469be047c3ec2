import type { Logger } from 'pino';

import { makeLog } from '#server/platform/log.ts';

/** A log configured like the server's, which appends to `lines`, one JSON text each. */
export function memoryLog(lines: string[], level = 'warn'): Logger {
  return makeLog(level, { write: (line) => void lines.push(line) });
}
