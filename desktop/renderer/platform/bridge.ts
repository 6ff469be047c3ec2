import { ipcAnswer, type IpcArgs, type IpcCall, ipcCalls, IpcError, type IpcResult } from '#desktop/ipc.ts';
import { PrivateNetwork } from '#desktop/engine/sync/connection-errors.ts';
import type { PreloadBridge } from '#desktop/preload/bridge.ts';

declare global {
  interface Window {
    benchbook?: PreloadBridge;
  }
}

/** The calls of the IPC table as functions. Each rejects with an `IpcError`. */
export type Bridge = { [C in IpcCall]: (...args: IpcArgs<C>) => Promise<IpcResult<C>> };

/** The bridge to the main process; undefined in a browser. */
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

/** The calls by which the page reads from other servers. */
type RemoteCalls = Pick<Bridge, 'remoteOpen' | 'remoteRead' | 'remoteClose'>;

/** A `fetch` for foreign servers that runs in the main process, where CORS does not apply. */
export function fetchThrough(bridge: RemoteCalls): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    const opening = bridge
      .remoteOpen(new Request(input).url, {
        range: headers.get('range'),
        ifRange: headers.get('if-range'),
      })
      .catch((error: unknown) => {
        if (error instanceof IpcError && error.kind === 'private-network')
          throw new PrivateNetwork(error.message, { cause: error });
        throw error;
      });
    const end = (ticket: number): void => void bridge.remoteClose(ticket).catch(() => undefined);
    const answer = await orAborted(opening, init?.signal, ({ ticket }) => end(ticket));
    const close = (): void => end(answer.ticket);
    init?.signal?.addEventListener('abort', close, { once: true });
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const piece = await bridge.remoteRead(answer.ticket);
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
      cancel: close,
    });
    const hasBody = answer.status !== 204 && answer.status !== 304;
    return new Response(hasBody ? body : null, { status: answer.status, headers: answer.headers });
  };
}

/**
 * The result of `work`, or a rejection as soon as the signal aborts: a server that does not answer holds nobody up. `late`
 * gets a result that comes after that.
 */
async function orAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | null | undefined,
  late: (result: T) => void,
): Promise<T> {
  if (signal === null || signal === undefined) return work;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => {
    aborted.reject(signal.reason);
    work.then(late, () => undefined);
  };
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
