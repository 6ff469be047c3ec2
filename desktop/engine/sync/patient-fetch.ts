import { Unreachable } from './connection-errors.ts';
import type { Environment } from '../platform/ports.ts';

/** Longest wait for the beginning of an answer, in addition to the time that the request body takes, ms. */
export const longestWait = 30_000;
/** Longest time without a byte of an answer that has begun, ms. */
export const longestSilence = 45_000;

/**
 * `fetch` with time limits, for requests without a `ServerConnection`.
 * @throws Unreachable when no answer begins in time; its body throws it when the answer stalls
 */
export function patientFetch(fetch: typeof globalThis.fetch, { setTimer }: Pick<Environment, 'setTimer'>) {
  return async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
    const abort = new AbortController();
    const signals = [abort.signal, ...(init?.signal ? [init.signal] : [])];
    const late = Promise.withResolvers<never>();
    const cancel = setTimer(() => {
      late.reject(new Unreachable('The server did not answer'));
      abort.abort();
    }, longestWait);
    try {
      const asked = fetch(input, { ...init, signal: AbortSignal.any(signals) });
      return withoutSilence(await Promise.race([asked, late.promise]), { setTimer });
    } finally {
      cancel();
    }
  };
}

/** Statuses without a body. Chromium gives answers with them an empty stream, with which none can be made. */
const withoutBody = new Set([204, 205, 304]);

/**
 * The same answer, but reading its body calls `failed` and throws `Unreachable` when it breaks off, or when nothing of it
 * arrives for `longestSilence` ms.
 */
export function withoutSilence(
  response: Response,
  { setTimer }: Pick<Environment, 'setTimer'>,
  failed: () => void = () => undefined,
): Response {
  if (response.body === null || withoutBody.has(response.status)) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const silence = Promise.withResolvers<never>();
        const cancel = setTimer(() => {
          silence.reject(new Unreachable('The server fell silent'));
          reader.cancel().catch(() => undefined);
        }, longestSilence);
        try {
          const { done, value } = await Promise.race([reader.read(), silence.promise]);
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          failed();
          throw error instanceof Unreachable
            ? error
            : new Unreachable('The answer broke off', { cause: error });
        } finally {
          cancel();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read ahead: the limit counts only while the caller waits.
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
