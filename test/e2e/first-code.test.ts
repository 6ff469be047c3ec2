import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { parseAst } from 'vite';
import { expect, test } from 'vitest';

import { builtApp } from '#test/support/production-build.ts';

import { startWholeApp } from './whole-app.ts';

/** Bytes of script that a new visitor may be sent before the sign-in can be used, compressed with gzip. */
const mostSent = 250_000;
/** Files of all kinds that are asked for until then. */
const mostFiles = 20;
/** Bytes of the minified code that the page may load before it shows a signed-in person the library. Lower it when the code gets smaller. */
const most = 2_200_000;

/** A file that the page asked for. */
interface Asked {
  path: string;
  isScript: boolean;
  /** Bytes of the body as sent. */
  sent: number;
}

/** What a new visitor's browser asks for until the sign-in can be used. */
async function askedOfNewVisitor(encoding: string): Promise<Asked[]> {
  await using resources = new AsyncDisposableStack();
  const { server, openDevice } = await startWholeApp(resources);
  const { context } = await openDevice();
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.setExtraHTTPHeaders', { headers: { 'accept-encoding': encoding } });
  const encodings = new Map<string, string | undefined>();
  devtools.on('Network.responseReceived', ({ response }) => {
    encodings.set(response.url, response.headers['content-encoding'] ?? response.headers['Content-Encoding']);
  });
  await page.addInitScript(() => {
    const look = (): void => {
      const field = document.querySelector<HTMLInputElement>('input[type=password]');
      if (field === null || field.disabled) requestAnimationFrame(look);
      else performance.mark('usable');
    };
    look();
  });
  await page.goto(server.url);
  await page.waitForFunction(() => performance.getEntriesByName('usable').length > 0);
  const asked = await page.evaluate(() => {
    const [usable] = performance.getEntriesByName('usable');
    const files = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ] as PerformanceResourceTiming[];
    return files
      .filter(({ startTime }) => usable !== undefined && startTime <= usable.startTime)
      .map(({ name, encodedBodySize }) => ({ url: name, sent: encodedBodySize }));
  });
  return asked.map(({ url, sent }) => {
    const path = new URL(url).pathname;
    const isScript = path.endsWith('.js');
    if (isScript && sent > 1024) expect(encodings.get(url), path).toBe(encoding);
    return { path, isScript, sent };
  });
}

test.each(['gzip', 'br'])(
  'FIRST-4 a new visitor is sent little code before the sign-in (%s)',
  async (encoding) => {
    const asked = await askedOfNewVisitor(encoding);
    const scripts = asked.filter(({ isScript }) => isScript);
    const sent = scripts.reduce((sum, one) => sum + one.sent, 0);
    const all = asked.reduce((sum, one) => sum + one.sent, 0);
    process.stdout.write(
      `Before the sign-in, ${encoding}: ${sent} bytes of script in ${scripts.length} files, ${all} bytes in ${asked.length} files\n`,
    );
    expect(scripts.length).toBeGreaterThan(1);
    expect(sent).toBeGreaterThan(mostSent / 4);
    expect(sent).toBeLessThanOrEqual(mostSent);
    expect(asked.length).toBeLessThanOrEqual(mostFiles);
  },
);

/** The scripts that the page names, those in its template too, and what they import statically, directly or through others. */
function namedScripts(app: string): Set<string> {
  const html = readFileSync(join(app, 'index.html'), 'utf8');
  const asked = html.matchAll(/<(?:script|link)[^>]* (?:src|href)="\/([^"]+\.js)"/g);
  const scripts = new Set([...asked].map(([, path = '']) => path));
  for (const script of scripts)
    for (const node of parseAst(readFileSync(join(app, script), 'utf8')).body)
      if ('source' in node && node.source !== null) scripts.add(join(script, '..', node.source.value));
  return scripts;
}

test('FIRST-4 a signed-in person loads little more code before the library than now', async () => {
  const app = await builtApp();
  const code = [...namedScripts(app)].map((script) => readFileSync(join(app, script)));
  const bytes = code.reduce((sum, { length }) => sum + length, 0);
  const gzipped = code.reduce((sum, script) => sum + gzipSync(script).length, 0);
  process.stdout.write(
    `The code before the library: ${bytes} bytes, ${gzipped} gzipped, ${(bytes / most).toFixed(3)} of the limit\n`,
  );
  expect(bytes).toBeGreaterThan(most / 2);
  expect(bytes).toBeLessThanOrEqual(most);
});
