import { IpcError } from '#desktop/ipc.ts';

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Throws the error of a file call as an `IpcError` that names no path. */
export function asIpcError(error: unknown): never {
  if (error instanceof IpcError) throw error;
  const code = codeOf(error) ?? 'unknown error';
  const full = FULL.has(code);
  throw new IpcError(full ? 'no-space' : 'unavailable', `The disk answered ${code}`, { cause: error });
}

/**
 * Runs a write. If the disk is full and `freeReserve` frees something, runs it once more.
 * @throws IpcError
 */
export async function withReserve(
  freeReserve: () => Promise<boolean>,
  write: () => Promise<void>,
): Promise<void> {
  const checked = (): Promise<void> => write().catch(asIpcError);
  await checked().catch(async (error: unknown) => {
    const isFull = error instanceof IpcError && error.kind === 'no-space';
    if (!isFull || !(await freeReserve().catch(() => false))) throw error;
    await checked();
  });
}

/** Returns undefined if the error says that a file does not exist, and throws it otherwise. */
export function unlessMissing(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined;
  throw error;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
