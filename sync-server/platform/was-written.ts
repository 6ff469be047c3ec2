import { stat } from 'node:fs/promises';

/** Whether a file was last written before a time, UNIX ms; Infinity: it was. */
export async function wasWritten(path: string, before: number): Promise<boolean> {
  if (before === Infinity) return true;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && found.mtimeMs < before;
}
