import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The response of a proxy in place of the server. */
export interface Page {
  status: number;
  html: string;
  /** In addition to the content type, or replacing it. */
  headers?: Record<string, string>;
}

/** A proxy in front of a server: it answers some requests itself and passes on the rest. */
export interface MeddlingProxy extends AsyncDisposable {
  url: string;
  /** Called for each request; null: the request is passed on. */
  answer: (request: IncomingMessage) => Page | null;
}

export async function layProxy(target: string): Promise<MeddlingProxy> {
  const { hostname, port } = new URL(target);
  const proxy: Pick<MeddlingProxy, 'answer'> = { answer: () => null };
  const server = createServer((incoming, outgoing) => {
    const page = proxy.answer(incoming);
    if (page !== null) {
      incoming.resume();
      incoming.on('end', () =>
        outgoing.writeHead(page.status, { 'Content-Type': 'text/html', ...page.headers }).end(page.html),
      );
      return;
    }
    const { method, url, headers } = incoming;
    const passed = request({ hostname, port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${own}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
