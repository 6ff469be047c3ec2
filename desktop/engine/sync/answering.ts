import type { Environment } from '../platform/ports.ts';
import { ForeignAnswer, Unreachable } from './connection-errors.ts';
import { longestSilence } from './patient-fetch.ts';

/** A request that was answered; the body may still be arriving. */
export interface Answering {
  response: Response;
  abort: () => void;
  /** The caller ended the request: an answer that breaks off then does not mean that the device is offline. */
  isUnwanted: () => boolean;
  /** The requested path, without the query. */
  path: string;
  /** Id of the request; heads and refusals repeat it as `request`. */
  name: string;
  /** Monotonic ms of the request and of the beginning of the answer. */
  sentAt: number;
  receivedAt: number;
  /** Made for this request, not taken from a cache. */
  isFresh: boolean;
  /** Recognised as the server's own. */
  isOurs: boolean;
  /** The last line that was read, for readers of lines. */
  lastLine: string;
}

/** Whether an answer was made for this request: one from the browser's cache has the date of another day. */
export function isFresh({ method = 'GET' }: RequestInit, { headers }: Response): boolean {
  return method !== 'GET' || /no-(store|cache)/.test(headers.get('cache-control') ?? '');
}

/** How `linesOf` reads. */
export interface LineReading {
  setTimer: Environment['setTimer'];
  /** Called with true when a recognised answer goes on, and with false when it stalls or breaks off. */
  noteReached: (isReached: boolean) => void;
  /** Longest silence, ms. */
  idle?: number | undefined;
  /** A line that grows longer than this many characters is the last one, as far as it was received. */
  longest?: number | undefined;
}

/**
 * Lines of an answer as they arrive. Ends the request when the caller stops reading.
 * @throws Unreachable after `idle` ms without a byte, or when the stream breaks
 */
export async function* linesOf(
  answering: Answering,
  { setTimer, noteReached, idle = longestSilence, longest = Number.POSITIVE_INFINITY }: LineReading,
): AsyncGenerator<string> {
  const { response, abort } = answering;
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let isSilent = false;
  try {
    for (;;) {
      const cancel = setTimer(() => {
        isSilent = true;
        abort();
      }, idle);
      const { done, value } = await reader.read().finally(cancel);
      if (answering.isOurs) noteReached(true);
      if (done) break;
      const parts = (rest + value).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) yield part;
      if (rest.length > longest) break;
    }
    if (rest !== '') yield rest;
  } catch (error) {
    if (error instanceof ForeignAnswer) throw error;
    if (!answering.isUnwanted()) noteReached(false);
    throw new Unreachable(isSilent ? 'The server fell silent' : 'The answer broke off', { cause: error });
  } finally {
    abort();
  }
}
