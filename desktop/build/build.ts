import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';

import react from '@vitejs/plugin-react';
import sharp from 'sharp';
import { build, type HtmlTagDescriptor, type InlineConfig, type Plugin } from 'vite';
import { z } from 'zod';

import { compressFiles } from './compress.ts';
import { importedByName } from './imported-by-name.ts';
import { buildOmanualCheck } from './omanual-check.ts';

const desktop = join(import.meta.dirname, '..');
const packageFile = readFileSync(join(desktop, '../package.json'), 'utf8');
const { version } = z.object({ version: z.string() }).parse(JSON.parse(packageFile));
const nodeModules = [...builtinModules, ...builtinModules.map((name) => `node:${name}`)];

interface Modules {
  getModuleInfo(id: string): { isEntry: boolean; importers: readonly string[] } | null;
}

/** `main.tsx` imports it as soon as it has the language. */
const first = join(desktop, 'renderer/start.tsx');
/** `start.tsx` imports it when the first screen is there. */
const rest = join(desktop, 'renderer/first/rest.tsx');

/** A module with those that import it statically, directly or through others. */
function importersOf(id: string, modules: Modules): Set<string> {
  const seen = new Set([id]);
  for (const one of seen)
    for (const importer of modules.getModuleInfo(one)?.importers ?? []) seen.add(importer);
  return seen;
}

/** Texts in other languages than English, which only those who read them load. */
const otherLanguages = /renderer.text.de\b|shared.text.pseudo\.ts|printer\.js/;

/**
 * The file of a module: `first` has what the page needs before its first screen, `app` the engine and what most people
 * open, `screens` what is imported on demand. They are few and large, because they load faster than hundreds of small ones.
 * Modules of one file run together, and texts are read when they run: what loads the language has files of its own.
 */
function chunkOf(id: string, modules: Modules): 'first' | 'app' | 'screens' | null {
  const importers = importersOf(id, modules);
  const isEarlier = (one: string): boolean =>
    otherLanguages.test(one) || modules.getModuleInfo(one)?.isEntry === true;
  if ([...importers].some(isEarlier)) return null;
  if (importers.has(first)) return 'first';
  if (importers.has(rest)) return 'app';
  return id.startsWith('\0') ? null : 'screens';
}

const chunks = [
  { name: 'surveys', priority: 2, test: /node_modules.survey-/ },
  { name: chunkOf, debugName: 'first, app and screens', priority: 1 },
];

/** The Vite configuration of the page, for the desktop window and for the browser. */
export function rendererConfig(outDir: string, plugins: Plugin[] = []): InlineConfig {
  return {
    root: join(desktop, 'renderer'),
    base: '/',
    configFile: false,
    logLevel: 'warn',
    plugins: [
      react(),
      importedByName(['lucide-react', 'react-aria-components']),
      ownLanguagesOnly(),
      preloadCode(),
      serviceWorkerShell(),
      ...plugins,
    ],
    worker: { format: 'es', plugins: () => plugins },
    define: { 'globalThis.builtVersion': JSON.stringify(version) },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'chrome130',
      sourcemap: true,
      chunkSizeWarningLimit: 4000,
      rolldownOptions: {
        preserveEntrySignatures: 'allow-extension',
        input: {
          index: join(desktop, 'renderer/index.html'),
          'service-worker': join(desktop, 'renderer/platform/service-worker.ts'),
        },
        output: {
          entryFileNames: (chunk) =>
            chunk.name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js',
          codeSplitting: { groups: chunks, includeDependenciesRecursively: false },
        },
      },
    },
  };
}

/** Leaves out the messages of React Aria in languages that the app does not have: over 100 KB that the page would load first. */
function ownLanguagesOnly(): Plugin {
  return {
    name: 'own-languages-only',
    load: {
      filter: { id: /[\\/]react-aria[\\/].*[\\/]intl[\\/]\w+[\\/](?!en-US|de-DE)[\w-]+\.mjs$/ },
      handler: () => 'export default undefined;',
    },
  };
}

/**
 * Lets the page load the first screen at once, and not only when its entry asks for it. The files of the app are named in a
 * template, from which the page takes them when it wants them (`fetchRest`).
 */
function preloadCode(): Plugin {
  return {
    name: 'preload-code',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const linksTo = (chunk: string): HtmlTagDescriptor[] =>
          Object.keys(bundle)
            .filter((file) => new RegExp(`^assets/${chunk}-[^.]+\\.(js|css)$`).test(file))
            .map((file) => ({
              tag: 'link',
              // After the style sheet that orders the layers.
              injectTo: 'head',
              attrs: {
                rel: file.endsWith('.css') ? 'stylesheet' : 'modulepreload',
                crossorigin: true,
                href: `/${file}`,
              },
            }));
        return [
          ...linksTo('first'),
          { tag: 'template', injectTo: 'head', attrs: { id: 'rest' }, children: linksTo('app') },
        ];
      },
    },
  };
}

/** Gives the service worker the list of the app's files, and a version that changes with their contents. */
function serviceWorkerShell(): Plugin {
  return {
    name: 'service-worker-shell',
    // Runs after the other plugins: before that, the entry of the page is still in the bundle.
    enforce: 'post',
    generateBundle(_options, bundle) {
      const worker = bundle['service-worker.js'];
      if (worker?.type !== 'chunk') return;
      const files = [...readdirSync(join(desktop, 'renderer/public')), ...Object.keys(bundle)]
        .filter((file) => file !== 'service-worker.js' && file !== 'index.html' && !file.endsWith('.map'))
        .toSorted();
      const version = createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 16);
      const shell = JSON.stringify({ version, files: files.map((file) => `/${file}`) });
      const place = /JSON\.parse\((["'`])__SHELL__\1\)/;
      if (!place.test(worker.code)) throw new Error('The service worker has no place for the list of files');
      worker.code = worker.code.replace(place, () => `(${shell})`);
    },
  };
}

/**
 * Builds one CommonJS file: a sandboxed preload script cannot load other files, and the main process does not need
 * any.
 */
function electronConfig(entry: string, outDir: string, target: string, minify: boolean): InlineConfig {
  const name = entry.replace(/^.*\/|\.ts$/g, '');
  return {
    root: desktop,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir,
      // The folder was removed before, and has several entries.
      emptyOutDir: false,
      target,
      sourcemap: true,
      minify,
      rolldownOptions: {
        input: join(desktop, entry),
        external: ['electron', ...nodeModules],
        output: { format: 'cjs', entryFileNames: `${name}.cjs`, codeSplitting: false },
      },
    },
  };
}

interface BuildOptions {
  /** Additional plugins for the page. */
  plugins?: Plugin[];
  /** The Node.js of the Electron that runs it. */
  nodeTarget?: string;
  /** Public keys of the publisher whose updates it installs; none: it installs none. */
  updateKeys?: readonly string[];
  /** Whether main process and preload script are minified too, as in packages. The page always is. */
  minify?: boolean;
}

/** Builds the page, the main process, the preload script and the icon into `out`. */
export async function buildDesktop(
  out: string,
  { plugins = [], nodeTarget = 'node24', updateKeys = [], minify = false }: BuildOptions = {},
): Promise<void> {
  await rm(out, { recursive: true, force: true });
  await build(electronConfig('main/main.ts', join(out, 'main'), nodeTarget, minify));
  await build(electronConfig('main/pin-worker.ts', join(out, 'main'), nodeTarget, minify));
  await build(electronConfig('preload/preload.ts', join(out, 'preload'), nodeTarget, minify));
  await writeFile(join(out, 'main/update-keys.json'), `${JSON.stringify(updateKeys)}\n`);
  await build(rendererConfig(join(out, 'renderer'), plugins));
  // Packagers need the icon as a bitmap. It is rendered from the icon of the page.
  await sharp(join(desktop, 'renderer/public/icon.svg'), { density: 600 })
    .resize(1024, 1024)
    .png()
    .toFile(join(out, 'icon.png'));
}

if (import.meta.main) {
  const out = join(desktop, 'out');
  await buildDesktop(out);
  await buildOmanualCheck(join(out, 'renderer/omanual'));
  await compressFiles(join(out, 'renderer'));
}
