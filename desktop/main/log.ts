/** The outputs of the program: `process`. */
interface Outputs {
  stdout: { on(event: 'error', listener: () => void): unknown };
  stderr: { on(event: 'error', listener: () => void): unknown };
}

/**
 * Keeps the program running when nobody reads its outputs any more, such as a terminal that was closed. Node.js would
 * report that as an uncaught exception.
 *
 * - ELECTRON-86 The program goes on when nobody reads its outputs any more, such as a terminal that was closed.
 */
export function surviveClosedOutputs({ stdout, stderr }: Outputs): void {
  for (const output of [stdout, stderr]) output.on('error', () => undefined);
}

/** Writes one line to the log, which is the error output. A log that cannot be written is no error. */
export function writeLog(line: string): void {
  try {
    process.stderr.write(`${line}\n`);
  } catch {
    // A file as output throws at once when its disk is full.
  }
}
