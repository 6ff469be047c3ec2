import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname, join, normalize } from 'node:path';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Replaces pictures of the demo guides, in their size: each of those takes a tenth of a second to draw. */
const picture = (path: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1200" width="1600" height="1200"><rect width="1600" height="1200" fill="#d6e0e5"/><text x="800" y="640" font-size="90" text-anchor="middle">${basename(path)}</text></svg>`;

export interface PageServer extends AsyncDisposable {
  url: string;
}

/** Serves the built page at every address of the app, and a picture at every picture address. */
export async function servePage(out: string): Promise<PageServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = normalize(decodeURIComponent(pathname));
    const send = (body: Buffer, extension: string) => {
      response.setHeader('Content-Type', types[extension] ?? 'application/octet-stream');
      response.end(body);
    };
    if (path.startsWith('/pictures/')) return send(Buffer.from(picture(path)), '.svg');
    readFile(join(out, extname(path) === '' ? 'index.html' : path)).then(
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
