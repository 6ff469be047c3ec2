import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What happens to a request: it passes, or its answer is lost, cut, or another one, does not come (`silent`), or does not end
 * (`endless`).
 */
export type Fault = 'none' | 'reset' | 'cut' | 'error' | 'page' | 'busy' | 'silent' | 'endless';

/** A proxy that does `fault(call)` to each request, counted from 1. */
export interface FlakyProxy extends AsyncDisposable {
  url: string;
  calls: number;
}

export async function layFlakyProxy(
  target: string,
  fault: (call: number, path: string) => Fault,
): Promise<FlakyProxy> {
  const { hostname, port } = new URL(target);
  const proxy = { calls: 0 };
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse, isCut: boolean): void => {
    const { method, url, headers } = incoming;
    const passed = request({ hostname, port, method, path: url, headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => {
        const body = Buffer.concat(pieces);
        const { 'transfer-encoding': _coding, ...kept } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, { ...kept, 'content-length': body.length });
        if (!isCut) return void outgoing.end(body);
        outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
      });
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  };
  const server = createServer((incoming, outgoing) => {
    proxy.calls += 1;
    const what = fault(proxy.calls, incoming.url ?? '');
    if (what === 'none' || what === 'cut') return pass(incoming, outgoing, what === 'cut');
    incoming.resume();
    if (what === 'silent') return;
    if (what === 'endless') outgoing.writeHead(200).write('[');
    else if (what === 'reset') outgoing.destroy();
    else if (what === 'page') outgoing.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Sign in</p>');
    else if (what === 'busy') outgoing.writeHead(429, { 'Retry-After': '7' }).end('{"message":"Slow down"}');
    else outgoing.writeHead(500).end('oops');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${own}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  });
}
