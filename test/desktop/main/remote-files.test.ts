import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { RemoteFiles } from '#desktop/main/remote-files.ts';
import { mainTexts } from '#desktop/main/text/en.ts';
import { requestRemote, type Resolve } from '#desktop/main/remote-request.ts';
import { fetchThrough } from '#desktop/renderer/platform/bridge.ts';

import { standInDialog } from './electron-stand-in.ts';

const texts = () => mainTexts;
const bytes = Buffer.alloc(300_000, 'benchbook');
const asked: { url: string; range: string | undefined; ifRange: unknown; cookie: string | undefined }[] = [];
const server = createServer((request, response) => {
  const { range, cookie } = request.headers;
  asked.push({ url: request.url ?? '', range, ifRange: request.headers['if-range'], cookie });
  const { pathname, search } = new URL(request.url ?? '', 'http://a.test');
  if (pathname === '/to')
    return void response.writeHead(302, { location: decodeURIComponent(search.slice(1)) }).end();
  if (pathname === '/circle') return void response.writeHead(302, { location: '/circle' }).end();
  if (pathname === '/compressed') return void response.writeHead(200, { 'content-encoding': 'gzip' }).end();
  if (pathname === '/broken') {
    response.writeHead(200, { 'content-length': 10 });
    return void response.write('short', () => response.destroy());
  }
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
/** Files of a person who allows every private network. */
function allowing(): RemoteFiles {
  return new RemoteFiles(standInDialog([], 1), texts, resolves({}));
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** A name server with these names. */
function resolves(names: Record<string, string[]>): Resolve {
  return async (host) => names[host] ?? Promise.reject(new Error('ENOTFOUND'));
}

/** The calls of the page, answered without Electron. */
function through(remote: RemoteFiles): typeof fetch {
  return fetchThrough(remote.handlers);
}

/** A fetch that is allowed. */
async function allowed(): Promise<typeof fetch> {
  const remote = allowing();
  await remote.handlers.remoteAllow(url);
  return through(remote);
}

test('a file of any server arrives whole, with the data needed to continue an interrupted download', async () => {
  const response = await (await allowed())(`${url}/a.omanual`);
  expect([response.status, response.headers.get('etag')]).toEqual([200, '"one"']);
  expect(response.headers.get('set-cookie')).toBeNull();
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
});

test('a download continues where it stopped, requesting only the range', async () => {
  const headers = { Range: 'bytes=299990-', 'If-Range': '"one"', Cookie: 'who=me' };
  const response = await (await allowed())(`${url}/a.omanual`, { headers });
  expect(response.headers.get('content-range')).toBe('bytes 299990-299999/300000');
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes.subarray(299_990))).toBe(true);
  expect(asked.at(-1)).toEqual({
    url: '/a.omanual',
    range: 'bytes=299990-',
    ifRange: '"one"',
    cookie: undefined,
  });
});

test('a refusal, a compressed answer and an unreachable server are distinguished', async () => {
  const ask = await allowed();
  expect((await ask(`${url}/none`)).status).toBe(404);
  await expect(ask(`${url}/compressed`)).rejects.toThrow('compressed');
  await expect(ask('http://127.0.0.1:1/a.omanual')).rejects.toThrow('cannot be reached');
});

test('an answer that breaks off is an error, not a shorter file', async () => {
  const response = await (await allowed())(`${url}/broken`);
  await expect(response.arrayBuffer()).rejects.toThrow('broke off');
});

test('a cancelled download is not read further', async () => {
  const remote = allowing();
  await remote.handlers.remoteAllow(url);
  const { ticket } = await remote.handlers.remoteOpen(`${url}/a.omanual`, { range: null, ifRange: null });
  await remote.handlers.remoteClose(ticket);
  await expect(remote.handlers.remoteRead(ticket)).rejects.toThrow('read before');
  const abort = new AbortController();
  const response = await through(remote)(`${url}/a.omanual`, { signal: abort.signal });
  abort.abort();
  await expect(response.arrayBuffer()).rejects.toThrow();
});

describe('private networks', () => {
  const nothing = { range: null, ifRange: null };
  /** Files of a person who answers with `answers` in turn, and the questions. */
  const person = (answers: number[], resolve: Resolve) => {
    const questions: string[] = [];
    const dialog = {
      showMessageBox: async ({ message, detail }: { message: string; detail: string }) => {
        questions.push(`${message} ${detail}`);
        return { response: answers.shift() ?? 0 };
      },
    };
    return { questions, handlers: new RemoteFiles(dialog, texts, resolve).handlers };
  };
  const port = () => new URL(url).port;

  test.each([
    '127.0.0.1',
    '10.0.0.1',
    '172.31.255.255',
    '192.168.1.5',
    '169.254.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    'not an address',
  ])('ELECTRON-52 refuses a host at %s, alone and beside a public address', async (address) => {
    const before = asked.length;
    for (const addresses of [[address], ['93.184.215.14', address]]) {
      const { handlers } = person([], resolves({ 'a.test': addresses }));
      const opened = handlers.remoteOpen(`http://a.test:${port()}/a.omanual`, nothing);
      await expect(opened).rejects.toMatchObject({ kind: 'private-network' });
    }
    expect(asked).toHaveLength(before);
  });

  test.each(['127.1', '2130706433', '0x7f.1', '017700000001', '[::1]', '[::ffff:7f00:1]', '127.0.0.1.'])(
    'ELECTRON-52 refuses the address %s, however it is written',
    async (host) => {
      // What the system would make of a name that is an address.
      const { handlers } = person([], async () => ['127.0.0.1']);
      const opened = handlers.remoteOpen(`http://${host}:${port()}/a.omanual`, nothing);
      await expect(opened).rejects.toMatchObject({ kind: 'private-network' });
    },
  );

  test('ELECTRON-52 the person is asked once for each host, and an answer holds for this host and address', async () => {
    const names: Record<string, string[]> = { 'a.test': ['127.0.0.1'], 'b.test': ['127.0.0.1'] };
    const { handlers, questions } = person([1, 0], resolves(names));
    const address = `http://a.test:${port()}/a.omanual`;
    expect(await handlers.remoteAllow(address)).toBe(true);
    expect(await handlers.remoteAllow(address)).toBe(true);
    expect(await handlers.remoteOpen(address, nothing)).toMatchObject({ status: 200 });
    expect(questions).toEqual([
      'Download from a.test? This address is in a private network: 127.0.0.1. Continue only if you know this server.',
    ]);
    const other = `http://b.test:${port()}/a.omanual`;
    expect(await handlers.remoteAllow(other)).toBe(false);
    await expect(handlers.remoteOpen(other, nothing)).rejects.toMatchObject({ kind: 'private-network' });
    names['a.test'] = ['127.0.0.2'];
    await expect(handlers.remoteOpen(address, nothing)).rejects.toMatchObject({ kind: 'private-network' });
  });

  test('ELECTRON-52 each redirect is checked and asked for like the first address', async () => {
    const { handlers, questions } = person([1, 0, 1], resolves({ 'a.test': ['127.0.0.1'] }));
    const before = asked.length;
    const address = `http://a.test:${port()}/to?${encodeURIComponent(`${url}/a.omanual`)}`;
    expect(await handlers.remoteAllow(address)).toBe(false);
    await expect(handlers.remoteOpen(address, nothing)).rejects.toMatchObject({ kind: 'private-network' });
    expect(asked.slice(before).map((one) => one.url)).not.toContain('/a.omanual');
    expect(await handlers.remoteAllow(address)).toBe(true);
    expect(await handlers.remoteOpen(address, nothing)).toMatchObject({ status: 200 });
    expect(questions.map((one) => one.split('?')[0])).toEqual([
      'Download from a.test',
      'Download from 127.0.0.1',
      'Download from 127.0.0.1',
    ]);
    for (const target of ['file:///etc/passwd', 'http://me:secret@a.test/', `${url}/circle`]) {
      const opened = handlers.remoteOpen(`${url}/to?${encodeURIComponent(target)}`, nothing);
      await expect(opened, target).rejects.toMatchObject({ kind: 'unavailable' });
    }
  });

  test('ELECTRON-52 a page cannot open a second question while one waits', async () => {
    const waiting = Promise.withResolvers<{ response: number }>();
    const dialog = { showMessageBox: () => waiting.promise };
    const { handlers } = new RemoteFiles(dialog, texts, resolves({}));
    const first = handlers.remoteAllow(url);
    expect(await handlers.remoteAllow(url)).toBe(false);
    waiting.resolve({ response: 1 });
    expect(await first).toBe(true);
  });

  test('ELECTRON-53 a name server that changes its answer does not lead the connection elsewhere', async () => {
    let count = 0;
    const rebinding: Resolve = async () => [count++ === 0 ? '192.0.2.1' : '127.0.0.1'];
    const lookups: string[] = [];
    // The address of documentation counts as public here, and leads nowhere.
    const opened = requestRemote(`http://localhost:${port()}/a.omanual`, {
      headers: {},
      resolve: rebinding,
      isAllowed: (_host, address) => lookups.push(address) > 0 && address === '192.0.2.1',
      waitMs: 300,
      signal: new AbortController().signal,
    });
    await expect(opened).rejects.toThrow();
    expect([count, lookups]).toEqual([1, ['192.0.2.1']]);
  });
});

test('ELECTRON-23 a request that waits for a name server or an answer ends with its page', async () => {
  const silent = createServer(() => asked.resolve());
  const asked = Promise.withResolvers<void>();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  try {
    const there = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/a.omanual`;
    const waiting = Promise.withResolvers<string[]>();
    const remote = new RemoteFiles(standInDialog([], 1), texts, () => waiting.promise);
    const named = remote.handlers.remoteOpen('http://slow.test/a.omanual', { range: null, ifRange: null });
    remote.close();
    await expect(named).rejects.toMatchObject({ kind: 'unavailable' });
    const signal = new AbortController();
    const opened = requestRemote(there, {
      headers: {},
      resolve: resolves({}),
      isAllowed: () => true,
      signal: signal.signal,
    });
    await asked.promise;
    signal.abort();
    await expect(opened).rejects.toThrow('aborted');
    // The next page asks as before.
    const files = allowing();
    files.close();
    await files.handlers.remoteAllow(url);
    expect((await through(files)(`${url}/a.omanual`)).status).toBe(200);
  } finally {
    silent.close();
    silent.closeAllConnections();
  }
});

test('a download that is given up while it connects ends at once, and closes an answer that comes late', async () => {
  const opening = Promise.withResolvers<{
    ticket: number;
    status: number;
    headers: Record<string, string>;
  }>();
  const closed: number[] = [];
  const fetchThere = fetchThrough({
    remoteOpen: () => opening.promise,
    remoteRead: () => Promise.reject(new Error('Nobody reads an answer that was given up')),
    remoteClose: async (ticket) => void closed.push(ticket),
  });
  const given = new AbortController();
  const fetched = fetchThere('http://slow.test/a.omanual', { signal: given.signal });
  given.abort();
  await expect(fetched).rejects.toMatchObject({ name: 'AbortError' });
  opening.resolve({ ticket: 7, status: 200, headers: {} });
  await expect.poll(() => closed).toEqual([7]);
});
