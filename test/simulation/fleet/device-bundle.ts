import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { build, type Plugin } from 'vite';

import { planted, projectRoot, type PlantedFault } from '#test/support/planted-fault.ts';

const entry = join(import.meta.dirname, 'device-thread.ts');

/** The program of a device's thread, in few files. `remove` deletes them. */
export interface DeviceBundle {
  program: URL;
  remove: () => Promise<void>;
}

/**
 * Bundles the modules of a device, with the fault planted into them. A thread takes several seconds to load a thousand
 * modules, and a world has up to nine devices.
 */
export async function bundleDevice(fault: PlantedFault | null): Promise<DeviceBundle> {
  // Packages that stay outside of the bundle are found from there.
  const cache = join(projectRoot, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'fleet-device-'));
  await build({
    root: projectRoot,
    configFile: false,
    logLevel: 'error',
    plugins: [...(fault === null ? [] : [plant(fault)]), placesOfSources()],
    ssr: { noExternal: true },
    build: {
      ssr: entry,
      outDir: folder,
      target: 'node24',
      minify: false,
      rollupOptions: { output: { entryFileNames: 'device.js' } },
    },
  });
  return {
    program: pathToFileURL(join(folder, 'device.js')),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function plant(fault: PlantedFault): Plugin {
  return {
    name: 'plant',
    enforce: 'pre',
    transform: (code, id) => planted(fault, id, () => code),
  };
}

/** Modules that read files beside them find them in the sources. */
function placesOfSources(): Plugin {
  return {
    name: 'places-of-sources',
    transform(code, id) {
      if (!id.startsWith(projectRoot) || !code.includes('import.meta')) return undefined;
      return code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)));
    },
  };
}
