import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { TestServer } from '#test/support/server.ts';

/** Serves the full records of `GET /guides/{guideid}` page by page, made beforehand, for a plain replication. */
export async function servePlainRecords(
  server: TestServer,
  count: number,
): Promise<AsyncDisposable & { url: string }> {
  const records: string[] = [];
  for (let n = 1; n <= count; n += 1) {
    const { body, statusCode } = await server.app.inject({ url: `/api/2.0/guides/${n}` });
    if (statusCode !== 200) throw new Error(`Guide ${n} answered ${statusCode}`);
    records.push(body);
  }
  const http = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://here').searchParams;
    const after = Number(query.get('after'));
    const page = records.slice(after, after + Number(query.get('limit')));
    response.writeHead(200, { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' });
    response.end(`[${page.join(',')}]`);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
