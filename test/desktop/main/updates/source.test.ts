import { execFileSync } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { readSmall } from '#desktop/main/updates/packages.ts';
import { type After, folderSource, serverSource, type UpdateSource } from '#desktop/main/updates/source.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const never: After = () => ({ elapsed: new Promise(() => undefined), cancel: () => undefined });
/** Time that passes as soon as something waits for it. */
const soonOver: After = () => ({ elapsed: delay(50), cancel: () => undefined });

async function withServer(
  answer: RequestListener,
  check: (source: UpdateSource) => Promise<void>,
  after = never,
): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await check(serverSource(`http://127.0.0.1:${port}/bench`, fetch, after));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function textOf(source: UpdateSource, from = 0): Promise<[number, string] | undefined> {
  const part = await source.read('a b.deb', from);
  if (part === undefined) return undefined;
  let text = '';
  for await (const chunk of part.chunks) text += Buffer.from(chunk).toString();
  return [part.from, text];
}

describe('a server as the source of updates', () => {
  it('UPDATE-29 reads files and parts of them, without cookies', async () => {
    const asked: unknown[] = [];
    const answer: RequestListener = (request, response) => {
      asked.push([request.url, request.headers.range, request.headers.cookie]);
      if (request.headers.range !== undefined)
        response.writeHead(206, { 'Content-Range': 'bytes 3-5/6', 'Set-Cookie': 'a=b' }).end('def');
      else response.writeHead(200, { 'Set-Cookie': 'a=b' }).end('abcdef');
    };
    await withServer(answer, async (source) => {
      expect(await textOf(source)).toEqual([0, 'abcdef']);
      expect(await textOf(source, 3)).toEqual([3, 'def']);
      expect(source.address('x.deb')).toMatch(/\/bench\/desktop\/updates\/x\.deb$/);
    });
    const path = '/bench/desktop/updates/a%20b.deb';
    expect(asked).toEqual([
      [path, undefined, undefined],
      [path, 'bytes=3-', undefined],
    ]);
  });

  it('UPDATE-29 begins anew if the server does not send the part that was asked for', async () => {
    await withServer(
      (_, response) => response.end('abcdef'),
      async (source) => expect(await textOf(source, 3)).toEqual([0, 'abcdef']),
    );
    const wrong: RequestListener = (_, response) =>
      response.writeHead(206, { 'Content-Range': 'bytes 0-2/6' }).end('abc');
    await withServer(wrong, async (source) => {
      await expect(textOf(source, 3)).rejects.toMatchObject({ kind: 'unreachable' });
    });
  });

  it.each<[string, RequestListener]>([
    [
      'leads elsewhere',
      ({ url }, response) =>
        url === '/elsewhere'
          ? response.end('abc')
          : response.writeHead(302, { Location: '/elsewhere' }).end(),
    ],
    ['fails', (_, response) => response.writeHead(500).end('an error')],
    ['closes the connection', (request) => request.socket.destroy()],
    ['never answers', () => undefined],
    ['stops in the middle', (_, response) => void response.writeHead(200).write('abc')],
    [
      'closes the connection in the middle',
      (_, response) => {
        response.writeHead(200, { 'Content-Length': '6' }).write('abc');
        setTimeout(() => response.destroy(), 20);
      },
    ],
  ])('UPDATE-29 a server that %s is unreachable', async (_, answer) => {
    const check = async (source: UpdateSource): Promise<void> => {
      await expect(textOf(source)).rejects.toMatchObject({ kind: 'unreachable' });
    };
    await withServer(answer, check, soonOver);
  });

  it('UPDATE-29 a server without updates has none, and an endless file is not read', async () => {
    await withServer(
      (_, response) => response.writeHead(404).end('not here'),
      async (source) => expect(await textOf(source)).toBeUndefined(),
    );
    const endless: RequestListener = (_, response) => {
      const more = (): void =>
        void (response.destroyed || (response.write('x'.repeat(10_000)), setImmediate(more)));
      more();
    };
    await withServer(endless, async (source) => {
      await expect(readSmall(source, 'update.json', 50_000)).rejects.toMatchObject({ kind: 'malformed' });
    });
  });

  it('UPDATE-29 a folder is read, and a pipe in it is not', async () => {
    await using folder = await temporaryFolder('source');
    execFileSync('mkfifo', [join(folder.path, 'update.json')]);
    expect(await folderSource(folder.path).read('update.json', 0)).toBeUndefined();
    expect(await folderSource(folder.path).read('missing', 0)).toBeUndefined();
  });
});
