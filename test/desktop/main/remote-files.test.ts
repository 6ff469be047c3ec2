import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { RemoteFiles } from '#desktop/main/remote-files.ts';
import { type Bridge, fetchThrough } from '#desktop/renderer/platform/bridge.ts';

const bytes = Buffer.alloc(300_000, 'benchbook');
const asked: { url: string; range: string | undefined; ifRange: unknown; cookie: string | undefined }[] = [];
const server = createServer((request, response) => {
  const { range, cookie } = request.headers;
  asked.push({ url: request.url ?? '', range, ifRange: request.headers['if-range'], cookie });
  if (request.url !== '/a.omanual') return void response.writeHead(404).end();
  const from = Number(/bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0);
  response.writeHead(from === 0 ? 200 : 206, {
    etag: '"one"',
    'set-cookie': 'who=me',
    'content-length': bytes.length - from,
    ...(from > 0 && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
  });
  return void response.end(bytes.subarray(from));
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** The calls of the page, answered without Electron. */
function through(remote: RemoteFiles): typeof fetch {
  return fetchThrough(remote.handlers as Bridge);
}

test('a file of any server arrives whole, with the data needed to continue an interrupted download', async () => {
  const response = await through(new RemoteFiles(fetch))(`${url}/a.omanual`);
  expect([response.status, response.headers.get('etag')]).toEqual([200, '"one"']);
  expect(response.headers.get('set-cookie')).toBeNull();
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
});

test('a download continues where it stopped, requesting only the range', async () => {
  const headers = { Range: 'bytes=299990-', 'If-Range': '"one"', Cookie: 'who=me' };
  const response = await through(new RemoteFiles(fetch))(`${url}/a.omanual`, { headers });
  expect(response.headers.get('content-range')).toBe('bytes 299990-299999/300000');
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes.subarray(299_990))).toBe(true);
  expect(asked.at(-1)).toEqual({
    url: '/a.omanual',
    range: 'bytes=299990-',
    ifRange: '"one"',
    cookie: undefined,
  });
});

test('a refusal and an unreachable server are distinguished', async () => {
  const ask = through(new RemoteFiles(fetch));
  expect((await ask(`${url}/none`)).status).toBe(404);
  await expect(ask('http://127.0.0.1:1/a.omanual')).rejects.toThrow('cannot be reached');
});

test('a cancelled download is not read further', async () => {
  const remote = new RemoteFiles(fetch);
  const { ticket } = await remote.handlers.remoteOpen(`${url}/a.omanual`, { range: null, ifRange: null });
  await remote.handlers.remoteClose(ticket);
  await expect(remote.handlers.remoteRead(ticket)).rejects.toThrow('read before');
  const abort = new AbortController();
  const response = await through(remote)(`${url}/a.omanual`, { signal: abort.signal });
  abort.abort();
  await expect(response.arrayBuffer()).rejects.toThrow();
});
