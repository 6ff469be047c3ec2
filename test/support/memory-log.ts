import { pino, type Logger } from 'pino';

/** A log that is kept in `lines`, one JSON text each. */
export function memoryLog(lines: string[]): Logger {
  return pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
}
