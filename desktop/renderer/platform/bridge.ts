import { ipcAnswer, type IpcArgs, type IpcCall, ipcCalls, IpcError, type IpcResult } from '#desktop/ipc.ts';
import type { PreloadBridge } from '#desktop/preload/bridge.ts';

declare global {
  interface Window {
    benchbook?: PreloadBridge;
  }
}

/** The calls of the IPC table as functions. Each rejects with an `IpcError`. */
export type Bridge = { [C in IpcCall]: (...args: IpcArgs<C>) => Promise<IpcResult<C>> };

/** The way to the main process, or undefined in a browser. */
export function findBridge(from: Pick<Window, 'benchbook'> = window): Bridge | undefined {
  const preload = from.benchbook;
  if (preload === undefined) return undefined;
  return new Proxy({} as Bridge, {
    get: (_target, name) =>
      typeof name === 'string' && Object.hasOwn(ipcCalls, name)
        ? (...args: unknown[]) => call(preload, name as IpcCall, args)
        : undefined,
  });
}

async function call(preload: PreloadBridge, name: IpcCall, args: unknown[]): Promise<unknown> {
  const answer = ipcAnswer.parse(await preload.call(name, args));
  if (!answer.ok) throw new IpcError(answer.kind, answer.message);
  return ipcCalls[name].result.parse(answer.result);
}
