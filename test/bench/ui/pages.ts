import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves pages from memory on a free port, for the floors. */
export async function servePages(): Promise<AsyncDisposable & { url: string; pages: Map<string, string> }> {
  const pages = new Map<string, string>();
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? '');
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    pages,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The markup and styles of the open screen as a page of their own, without a script. Self-contained: runs in the page. */
export function snapshot(): string {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText));
  const attributes = [...document.documentElement.attributes].map(({ name, value }) => ` ${name}="${value}"`);
  return `<!doctype html><html${attributes.join('')}><meta charset="utf-8"><style>${rules.join('\n')}</style><body>${document.body.innerHTML}</body></html>`;
}
