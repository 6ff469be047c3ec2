import type { Bridge } from './bridge.ts';

/** Fetches from a server that is not ours through the main process, which no rule of pages keeps from it. */
export function fetchThrough(bridge: Bridge): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    const answer = await bridge.remoteOpen(new Request(input).url, {
      range: headers.get('range'),
      ifRange: headers.get('if-range'),
    });
    const close = (): void => void bridge.remoteClose(answer.ticket).catch(() => undefined);
    init?.signal?.addEventListener('abort', close, { once: true });
    if (init?.signal?.aborted === true) close();
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
