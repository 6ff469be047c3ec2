import { IncomingMessage } from 'node:http';

import { IpcError } from '#desktop/ipc.ts';

import type { Dialog } from './electron.ts';
import type { IpcHandlers } from './ipc.ts';
import { PrivateHost, requestRemote, type Resolve } from './remote-request.ts';
import type { MainTexts } from './text/main-language.ts';

type RemoteCalls = Pick<IpcHandlers, 'remoteOpen' | 'remoteRead' | 'remoteClose' | 'remoteAllow'>;

interface OpenAnswer {
  response: IncomingMessage;
  pieces: AsyncIterator<Buffer>;
}

/** The response headers that the page gets. */
const passedHeaders = ['content-length', 'content-range', 'etag', 'last-modified', 'date'] as const;
/** Number of responses that can be open at a time; the oldest is aborted. */
const mostOpen = 8;

/**
 * Fetches files from foreign servers, which CORS may keep the page from reading. It sends only GET requests without
 * cookies or tokens, and returns the response piece by piece.
 */
export class RemoteFiles {
  readonly #dialog: Pick<Dialog, 'showMessageBox'>;
  readonly #resolve: Resolve;
  readonly #open = new Map<number, OpenAnswer>();
  /** Addresses that the person allowed, as `host address`. */
  readonly #allowed = new Set<string>();
  readonly #texts: () => MainTexts;
  /** Aborts the requests whose answers have not begun. */
  #underWay = new AbortController();
  #tickets = 0;
  #isAsking = false;

  constructor(dialog: Pick<Dialog, 'showMessageBox'>, texts: () => MainTexts, resolve: Resolve) {
    this.#dialog = dialog;
    this.#texts = texts;
    this.#resolve = resolve;
  }

  readonly handlers: RemoteCalls = {
    remoteOpen: async (url, { range, ifRange }) => {
      const { signal } = this.#underWay;
      const response = await this.#request(url, {
        ...(range !== null && { Range: range }),
        ...(ifRange !== null && { 'If-Range': ifRange }),
      }).catch((cause: unknown) => {
        if (cause instanceof PrivateHost)
          throw new IpcError('private-network', 'The address is in a private network', { cause });
        throw new IpcError('unavailable', 'The address cannot be reached', { cause });
      });
      if (signal.aborted) throw new IpcError('closing', 'The page that asked has ended');
      const { 'content-encoding': encoding = 'identity' } = response.headers;
      if (encoding !== 'identity') {
        response.destroy();
        throw new IpcError('unavailable', 'The answer is compressed, which was not asked for');
      }
      this.#tickets += 1;
      // A connection that breaks between two pieces is reported with the next one.
      response.on('error', () => undefined);
      this.#open.set(this.#tickets, { response, pieces: response[Symbol.asyncIterator]() });
      for (const ticket of [...this.#open.keys()].slice(0, -mostOpen)) this.#end(ticket);
      return {
        ticket: this.#tickets,
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(
          passedHeaders.flatMap((name) => {
            const value = response.headers[name];
            return typeof value === 'string' ? [[name, value]] : [];
          }),
        ),
      };
    },
    remoteAllow: async (url) => {
      // One question at a time: a page must not bury the person in dialogs.
      if (this.#isAsking) return false;
      this.#isAsking = true;
      try {
        return await this.#allow(url);
      } finally {
        this.#isAsking = false;
      }
    },
    remoteRead: async (ticket) => {
      const answer = this.#open.get(ticket);
      if (answer === undefined) throw new IpcError('unavailable', 'This answer was read before');
      const { done, value } = await answer.pieces.next().catch((cause: unknown) => {
        this.#end(ticket);
        throw new IpcError('unavailable', 'The answer broke off', { cause });
      });
      if (done !== true) return new Uint8Array(value);
      this.#end(ticket);
      return undefined;
    },
    remoteClose: async (ticket) => {
      this.#end(ticket);
      return undefined;
    },
  };

  /** Ends all transfers of a page that has ended. */
  close(): void {
    this.#underWay.abort();
    this.#underWay = new AbortController();
    for (const ticket of this.#open.keys()) this.#end(ticket);
  }

  #request(url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
    const isAllowed = (host: string, address: string): boolean => this.#allowed.has(`${host} ${address}`);
    const { signal } = this.#underWay;
    return requestRemote(url, { headers, resolve: this.#resolve, isAllowed, signal });
  }

  /** Follows the address until the person refuses, or an answer begins. */
  async #allow(url: string): Promise<boolean> {
    for (;;) {
      const found = await this.#request(url).catch((error: unknown) => error);
      if (!(found instanceof PrivateHost)) {
        if (found instanceof IncomingMessage) found.destroy();
        // An address that cannot be reached needs no permission: the download reports it.
        return true;
      }
      if (!(await this.#ask(found))) return false;
      for (const address of found.addresses) this.#allowed.add(`${found.host} ${address}`);
    }
  }

  async #ask({ host, addresses }: PrivateHost): Promise<boolean> {
    const download = 1;
    const { download: text } = this.#texts();
    const { response } = await this.#dialog.showMessageBox({
      type: 'warning',
      title: 'Benchbook',
      message: text.title(host),
      detail: text.hint(addresses.join(', ')),
      buttons: [text.cancel, text.download],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    return response === download;
  }

  #end(ticket: number): void {
    this.#open.get(ticket)?.response.destroy();
    this.#open.delete(ticket);
  }
}
