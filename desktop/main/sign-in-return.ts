import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { IpcError } from '#desktop/ipc.ts';
import { safe } from '#shared/html.ts';

import type { IpcHandlers } from './ipc.ts';
import type { MainLanguage } from './text/main-language.ts';

type SignInCalls = Pick<IpcHandlers, 'signInListen' | 'signInWait' | 'signInEnd'>;

type Spoken = Pick<MainLanguage, 'language' | 'texts'>;

interface Listening {
  server: Server;
  /** The address to which the browser brings the code. */
  url: string;
  code: PromiseWithResolvers<string | null>;
}

/** The identity provider must answer within this time, ms. */
const longestMs = 12 * 60_000;

/**
 * Receives the code of a sign-in from the system's browser (RFC 8252, section 7.3), on a loopback port that is open
 * only during the sign-in. The code can be used only with the verifier, which stays in the app's page.
 */
export class SignInReturn {
  readonly #onCode: () => unknown;
  readonly #language: Spoken;
  #listening: Listening | null = null;

  /** `onCode`: called when the code has arrived, to bring the window to the front. */
  constructor(onCode: () => unknown, language: Spoken) {
    this.#onCode = onCode;
    this.#language = language;
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

  /** Stops listening; a waiting call gets null. */
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
    // Another web page may find the port, but it does not know the path and cannot send this host name.
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
    response.end(isOurs ? donePage(this.#language) : '');
    if (!isOurs) return;
    this.#end(listening, code);
    this.#onCode();
  }
}

function donePage({ language, texts: { signedIn } }: Spoken): string {
  return safe`<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${signedIn.title}</title>
<style>body{font:1.125rem/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1.5rem;color:#1b1b1b;background:#fff}</style>
<h1>${signedIn.title}</h1>
<p>${signedIn.text}</p>
</html>
`.text;
}
