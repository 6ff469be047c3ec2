import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const pictures = join(import.meta.dirname, '../../../../sync-server/demo-content/own/pictures');

export interface PageServer extends AsyncDisposable {
  url: string;
}

/** Serves the built page under every address of the app, and the pictures of the demo guides. */
export async function servePage(out: string): Promise<PageServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = normalize(decodeURIComponent(pathname));
    const file = path.startsWith('/pictures/')
      ? join(pictures, path.slice('/pictures'.length))
      : join(out, path);
    const send = (body: Buffer, extension: string) => {
      response.setHeader('Content-Type', types[extension] ?? 'application/octet-stream');
      response.end(body);
    };
    readFile(extname(path) === '' ? join(out, 'index.html') : file).then(
      (body) => send(body, extname(path) || '.html'),
      () => {
        response.statusCode = 404;
        response.end();
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
