import { IpcError } from '#desktop/ipc.ts';

import type { IpcHandlers } from './ipc.ts';

type RemoteCalls = Pick<IpcHandlers, 'remoteOpen' | 'remoteRead' | 'remoteClose'>;

interface OpenAnswer {
  reader: ReadableStreamDefaultReader<Uint8Array> | null;
  abort: AbortController;
}

/** The response headers that the page gets. */
const passedHeaders = [
  'content-length',
  'content-range',
  'content-encoding',
  'etag',
  'last-modified',
  'date',
] as const;
/** Number of responses that can be open at a time; the oldest is aborted. */
const mostOpen = 8;

/**
 * Fetches files from foreign servers, which CORS may keep the page from reading. It sends only GET requests without
 * cookies or tokens, and returns the response piece by piece.
 */
export class RemoteFiles {
  readonly #fetch: typeof fetch;
  readonly #open = new Map<number, OpenAnswer>();
  #tickets = 0;

  constructor(fetch: typeof globalThis.fetch) {
    this.#fetch = fetch;
  }

  readonly handlers: RemoteCalls = {
    remoteOpen: async (url, { range, ifRange }) => {
      const abort = new AbortController();
      const headers = {
        ...(range !== null && { Range: range }),
        ...(ifRange !== null && { 'If-Range': ifRange }),
      };
      const response = await this.#fetch(url, { headers, credentials: 'omit', signal: abort.signal }).catch(
        (error: unknown) => {
          throw new IpcError('unavailable', 'The address cannot be reached', { cause: error });
        },
      );
      this.#tickets += 1;
      this.#open.set(this.#tickets, { reader: response.body?.getReader() ?? null, abort });
      for (const ticket of [...this.#open.keys()].slice(0, -mostOpen)) this.#end(ticket);
      return {
        ticket: this.#tickets,
        status: response.status,
        headers: Object.fromEntries(
          passedHeaders.flatMap((name) => {
            const value = response.headers.get(name);
            return value === null ? [] : [[name, value]];
          }),
        ),
      };
    },
    remoteRead: async (ticket) => {
      const answer = this.#open.get(ticket);
      if (answer === undefined) throw new IpcError('unavailable', 'This answer was read before');
      const { done, value } = (await answer.reader?.read()) ?? { done: true, value: undefined };
      if (!done) return new Uint8Array(value);
      this.#end(ticket);
      return undefined;
    },
    remoteClose: async (ticket) => {
      this.#end(ticket);
      return undefined;
    },
  };

  /** Ends all transfers when the app closes. */
  close(): void {
    for (const ticket of this.#open.keys()) this.#end(ticket);
  }

  #end(ticket: number): void {
    this.#open.get(ticket)?.abort.abort();
    this.#open.delete(ticket);
  }
}
