import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { IpcError } from '#desktop/ipc.ts';

import type { IpcHandlers } from './ipc.ts';

type SignInCalls = Pick<IpcHandlers, 'signInListen' | 'signInWait' | 'signInEnd'>;

interface Listening {
  server: Server;
  /** Where the browser brings the code. */
  url: string;
  code: PromiseWithResolvers<string | null>;
}

/** An identity provider answers within this time, ms. */
const longestMs = 12 * 60_000;

/**
 * Where the system's browser brings the code of a sign-in (RFC 8252, 7.3): a port of this machine alone, open while somebody
 * signs in. The code is of use only together with what the page of the app keeps to itself.
 */
export class SignInReturn {
  readonly #onCode: () => unknown;
  #listening: Listening | null = null;

  /** `onCode`: brings the window back to the person, who is in the browser. */
  constructor(onCode: () => unknown) {
    this.#onCode = onCode;
  }

  readonly handlers: SignInCalls = {
    signInListen: async () => {
      this.close();
      const server = createServer((request, response) => this.#answer(request, response));
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(0, '127.0.0.1', resolve);
      });
      const { port } = server.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/${randomBytes(16).toString('base64url')}`;
      const listening = { server, url, code: Promise.withResolvers<string | null>() };
      this.#listening = listening;
      setTimeout(() => this.#end(listening, null), longestMs).unref();
      return url;
    },
    signInWait: async () => {
      if (this.#listening === null) throw new IpcError('unavailable', 'Nobody is signing in');
      return this.#listening.code.promise;
    },
    signInEnd: async () => {
      this.close();
      return undefined;
    },
  };

  /** Whoever waits hears that nothing came. */
  close(): void {
    if (this.#listening !== null) this.#end(this.#listening, null);
  }

  #end(listening: Listening, code: string | null): void {
    listening.code.resolve(code);
    listening.server.close();
    listening.server.closeIdleConnections();
    if (this.#listening === listening) this.#listening = null;
  }

  #answer({ method, url, headers }: IncomingMessage, response: ServerResponse): void {
    const listening = this.#listening;
    const asked = listening === null ? null : URL.parse(url ?? '/', listening.url);
    const code = asked?.searchParams.get('code') ?? '';
    // A page elsewhere may know the port, but neither the path nor how to write the name of another host.
    const isOurs =
      listening !== null &&
      method === 'GET' &&
      `http://${headers.host ?? ''}${asked?.pathname ?? ''}` === listening.url &&
      /^[\w-]{20,200}$/.test(code);
    response.writeHead(isOurs ? 200 : 404, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      Connection: 'close',
    });
    response.end(isOurs ? done : '');
    if (!isOurs) return;
    this.#end(listening, code);
    this.#onCode();
  }
}

const done = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Go back to Benchbook</title>
<style>body{font:1.125rem/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1.5rem;color:#1b1b1b;background:#fff}</style>
<h1>Go back to Benchbook</h1>
<p>It signs you in. You can close this page.</p>
</html>
`;
