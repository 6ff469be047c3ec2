import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { compressFiles } from '#desktop/build/compress.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startServer, type TestServer } from '#test/support/server.ts';

const script = `export const words = ${JSON.stringify('Tighten the nut. '.repeat(500))};`;
const page = `<!doctype html><title>App</title>${' '.repeat(2000)}`;
const resources = new AsyncDisposableStack();
let server: TestServer;

beforeAll(async () => {
  const { path: appDir } = resources.use(await temporaryFolder('app-files'));
  await mkdir(join(appDir, 'assets'));
  await writeFile(join(appDir, 'index.html'), page);
  await writeFile(join(appDir, 'assets/index-1.js'), script);
  await writeFile(join(appDir, 'assets/font.woff2'), Buffer.alloc(5000));
  await compressFiles(appDir);
  server = resources.use(await startServer({ appDir }));
});
afterAll(() => resources.disposeAsync());

interface Received {
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
}

/** A request without the decompression of `fetch`. */
async function get(path: string, accepted: string): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  request(new URL(path, server.url), { headers: { 'Accept-Encoding': accepted } }, (response) => {
    const parts: Buffer[] = [];
    response.on('data', (part: Buffer) => parts.push(part));
    response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(parts) }));
    response.on('error', reject);
  })
    .on('error', reject)
    .end();
  return promise;
}

test.each([
  { accepted: 'gzip, deflate, br', encoding: 'br', unpack: brotliDecompressSync },
  { accepted: 'gzip', encoding: 'gzip', unpack: gunzipSync },
  { accepted: 'identity', encoding: undefined, unpack: (bytes: Buffer) => bytes },
])(
  'ADDRESS-7 scripts and the page are sent as $encoding to a client that accepts $accepted',
  async ({ accepted, encoding, unpack }) => {
    for (const [path, content, type] of [
      ['/assets/index-1.js', script, 'javascript'],
      ['/', page, 'html'],
      ['/guides/1', page, 'html'],
    ] as const) {
      const { headers, bytes } = await get(path, accepted);
      expect(headers).toMatchObject({ 'content-type': expect.stringContaining(type) as string });
      expect(headers['content-encoding']).toBe(encoding);
      expect(unpack(bytes).toString()).toBe(content);
      if (encoding !== undefined) {
        expect(bytes.length).toBeLessThan(content.length / 4);
        expect(String(headers['vary'])).toMatch(/accept-encoding/i);
      }
      expect(headers['content-security-policy']).toContain("default-src 'none'");
    }
    const { headers } = await get('/assets/index-1.js', accepted);
    expect(headers['cache-control']).toContain('immutable');
  },
);

test('ADDRESS-7 what is compressed already is sent as it is', async () => {
  const { headers, bytes } = await get('/assets/font.woff2', 'gzip, deflate, br');
  expect(headers['content-encoding']).toBeUndefined();
  expect(bytes.length).toBe(5000);
});
