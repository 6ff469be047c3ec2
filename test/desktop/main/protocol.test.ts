import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { answerAppRequest } from '#desktop/main/protocol.ts';
import { must } from '#shared/must.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { runs } from '#test/support/long-run.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let renderer: string;

beforeAll(async () => {
  folder = await temporaryFolder('protocol');
  renderer = join(folder.path, 'renderer');
  await mkdir(join(renderer, 'assets'), { recursive: true });
  await mkdir(join(folder.path, 'renderer2'));
  await writeFile(join(renderer, 'index.html'), '<html><head><title>page</title></head></html>');
  await writeFile(join(renderer, 'assets/app-1a2b.js'), 'code');
  await writeFile(join(folder.path, 'secret.js'), 'secret');
  await writeFile(join(folder.path, 'renderer2/secret.js'), 'secret');
  await writeFile(join(renderer, '.secret.js'), 'secret');
});

afterAll(() => folder[Symbol.asyncDispose]());

function get(url: string, method = 'GET'): Promise<Response> {
  return answerAppRequest({ url, method } as Request, renderer);
}

describe('the app protocol', () => {
  it('serves files with their type', async () => {
    const response = await get('benchbook://app/assets/app-1a2b.js');
    expect([response.status, await response.text()]).toEqual([200, 'code']);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each(['', 'index.html', 'guides/12', 'guides/12/?step=3#x', 'settings'])(
    'serves the page for the path of a screen: %s',
    async (path) => {
      const response = await get(`benchbook://app/${path}`);
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining('<title>page</title>'),
      ]);
    },
  );

  it.each([
    'guides/tmp:01a222eb-a65e-72ea-98c3-71cc1d151c51/edit',
    'pages/Gr%C3%B6%C3%9Fe%20%26%20Ma%C3%9F%20(neu)',
    'pages/Version%202.0',
    'pages/1%2F2%20inch%3F',
    'pages/..%2F..%2Fsecret.js',
  ])('ELECTRON-92 serves the page for a screen with any id or title: %s', async (path) => {
    const response = await get(`benchbook://app/${path}`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<title>page</title>');
  });

  it('gives each page a fresh nonce for the styles of its components', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const response = await get('benchbook://app/');
        const nonce = must(
          /property="csp-nonce" nonce="([^"]+)"/.exec(await response.text())?.[1],
          'a nonce',
        );
        expect(response.headers.get('content-security-policy')).toContain(
          `style-src 'self' 'nonce-${nonce}'`,
        );
        return nonce;
      }),
    );
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  it.each([
    'benchbook://app/../secret.js',
    'benchbook://app/%2e%2e/secret.js',
    'benchbook://app/..%2fsecret.js',
    'benchbook://app/assets/..%2f..%2fsecret.js',
    'benchbook://app/..%5csecret.js',
    'benchbook://app/..%2frenderer2%2fsecret.js',
    'benchbook://app//etc/passwd',
    'benchbook://app/%00secret.js',
    'benchbook://app/assets/app-1a2b.js%00.html',
    'benchbook://app/.secret.js',
    'benchbook://app/%zz',
    'benchbook://app/missing.js',
    'benchbook://app/assets/app-1a2b.exe',
    'benchbook://other/index.html',
    'https://app/index.html',
    'nonsense',
  ])('refuses %s', async (url) => {
    const response = await get(url);
    expect([response.status, await response.text()]).toEqual([404, '']);
  });

  it('refuses to write', async () => {
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect((await get('benchbook://app/', method)).status).toBe(405);
    const head = await get('benchbook://app/', 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('never returns bytes from outside its folder, whatever the address', async () => {
    await symlink(folder.path, join(renderer, 'assets', '..up')).catch(() => undefined);
    const part = fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '',
        'secret.js',
        'renderer2',
        'assets',
        '%2e%2e',
        '%2f',
        '%5c',
        '\\',
        '%00',
        '..%2f',
        '...',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 8 }),
        fc.constantFrom('/', '%2f', '\\', '%5c', '//'),
        async (parts, separator) => {
          const response = await get(`benchbook://app/${parts.join(separator)}`);
          expect(await response.text()).not.toContain('secret');
        },
      ),
      { numRuns: runs(2000) },
    );
  });
});
