import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';
import { parseAst } from 'vite';

import { builtApp } from '#test/support/production-build.ts';

/** Bytes of the minified code that the page may load before its first screen. Lower it when the code gets smaller. */
const most = 2_240_000;

/** The scripts that the page loads at once, and what they import statically, directly or through others. */
function firstScripts(app: string): Set<string> {
  const html = readFileSync(join(app, 'index.html'), 'utf8');
  const asked = html.matchAll(/<(?:script|link)[^>]* (?:src|href)="\/([^"]+\.js)"/g);
  const scripts = new Set([...asked].map(([, path = '']) => path));
  for (const script of scripts)
    for (const node of parseAst(readFileSync(join(app, script), 'utf8')).body)
      if ('source' in node && node.source !== null) scripts.add(join(script, '..', node.source.value));
  return scripts;
}

test('the page loads little more code before its first screen than now', async () => {
  const app = await builtApp();
  const code = [...firstScripts(app)].map((script) => readFileSync(join(app, script)));
  const bytes = code.reduce((sum, { length }) => sum + length, 0);
  const gzipped = code.reduce((sum, script) => sum + gzipSync(script).length, 0);
  process.stdout.write(
    `The code before the first screen: ${bytes} bytes, ${gzipped} gzipped, ${(bytes / most).toFixed(3)} of the limit\n`,
  );
  expect(bytes).toBeGreaterThan(most / 2);
  expect(bytes).toBeLessThanOrEqual(most);
});
