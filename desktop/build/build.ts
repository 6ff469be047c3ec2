import { rm } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';

import react from '@vitejs/plugin-react';
import { build, type InlineConfig } from 'vite';

const desktop = join(import.meta.dirname, '..');
const nodeModules = [...builtinModules, ...builtinModules.map((name) => `node:${name}`)];

/** How the page is built: the same for the window and for the browser. */
export function rendererConfig(outDir: string): InlineConfig {
  return {
    root: join(desktop, 'renderer'),
    // Relative, so that the same files work under benchbook://app/ and under any path of a server.
    base: './',
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: true, target: 'chrome130', sourcemap: true },
  };
}

/** One CommonJS file: a sandboxed preload script can load nothing else, and the main process needs nothing else. */
export function electronConfig(entry: string, outDir: string): InlineConfig {
  const name = entry.replace(/^.*\/|\.ts$/g, '');
  return {
    root: desktop,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node24',
      sourcemap: true,
      minify: false,
      rolldownOptions: {
        input: join(desktop, entry),
        external: ['electron', ...nodeModules],
        output: { format: 'cjs', entryFileNames: `${name}.cjs`, codeSplitting: false },
      },
    },
  };
}

/** Builds the page, the main process and the preload script into `out`. */
export async function buildDesktop(out: string): Promise<void> {
  await rm(out, { recursive: true, force: true });
  await build(electronConfig('main/main.ts', join(out, 'main')));
  await build(electronConfig('preload/preload.ts', join(out, 'preload')));
  await build(rendererConfig(join(out, 'renderer')));
}

if (import.meta.main) await buildDesktop(join(desktop, 'out'));
