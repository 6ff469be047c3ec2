import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

import { plants } from './plant-list.ts';
import { planted } from './plants.ts';

/** Loaded before the server (`--import`): plants the fault named by BENCHBOOK_DEMO_FAULT into its modules. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const plant = plants.find((one) => one.name === process.env['BENCHBOOK_DEMO_FAULT']);

if (plant !== undefined) {
  registerHooks({
    load(url, context, nextLoad) {
      const result = nextLoad(url, context);
      if (!url.startsWith('file:')) return result;
      const file = fileURLToPath(url).slice(root.length);
      if (!plant.edits.some((edit) => edit.file === file)) return result;
      return {
        ...result,
        source: planted(plant, file, Buffer.from(result.source as Uint8Array).toString('utf8')),
      };
    },
  });
}
