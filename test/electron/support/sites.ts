import { generateKeyPairSync } from 'node:crypto';
import {
  createServer as createPlain,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTls } from 'node:https';
import type { AddressInfo } from 'node:net';

import { selfSigned } from '#test/support/certificate.ts';

/** Web sites of others, on this machine. */
export interface Sites extends AsyncDisposable {
  /** A site without TLS, as `http://127.0.0.1:PORT`. It allows no page to read its answers. */
  url: string;
  /** The paths that it was asked for, in order. */
  asked: string[];
  /** The addresses to which the player tried to redirect. */
  left: string[];
  /** Arguments with which Chromium finds a video player in place of the real one. */
  args: string[];
}

/** The address of the player's page, whose script of the site without TLS is insecure content. */
export const playerPage = 'https://www.youtube-nocookie.com/embed/probe';

/** Another name of the site without TLS: Chromium trusts loopback addresses also without. */
const insecureHost = 'insecure.test';

/** Starts the sites. `answer`: further answers of the site without TLS; false if it has none. */
export async function openSites(
  answer: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
): Promise<Sites> {
  const asked: string[] = [];
  const left: string[] = [];
  const plain = createPlain((request, response) => {
    asked.push(request.url ?? '');
    if (answer(request, response)) return;
    const isScript = request.url?.endsWith('.js') === true;
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? 'globalThis.foreignRan = true' : 'a page of others');
  });
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const tls = createTls(
    {
      key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      cert: selfSigned(keys, 'www.youtube-nocookie.com'),
    },
    (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', playerPage);
      if (pathname === '/leave') {
        const location = searchParams.get('to') ?? '';
        left.push(location);
        return void response.writeHead(302, { location }).end();
      }
      response.writeHead(200, { 'content-type': 'text/html' });
      return void response.end(
        `<script src="http://${insecureHost}:${new URL(url).port}/insecure.js"></script><p>a video`,
      );
    },
  );
  const url = await listen(plain);
  const player = await listen(tls);
  return {
    url,
    asked,
    left,
    args: [
      `--host-resolver-rules=MAP www.youtube-nocookie.com ${new URL(player).host}, MAP ${insecureHost} 127.0.0.1`,
      '--ignore-certificate-errors',
      // Without a camera, a page would be refused one in any case.
      '--use-fake-device-for-media-stream',
    ],
    async [Symbol.asyncDispose]() {
      for (const server of [plain, tls]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
