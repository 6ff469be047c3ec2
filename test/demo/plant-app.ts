import type { Plugin } from 'vite';

import { planted, type Plant } from './plants.ts';

/** A plugin that plants a fault into the app as it is built; the build fails when a text of the fault is not there. */
export function plantIntoApp(plant: Plant, root: string): Plugin[] {
  const missing = new Set(plant.edits.map((edit) => edit.file));
  return [
    {
      name: 'plant-fault',
      enforce: 'pre',
      transform(code, id) {
        const file = id.split('?')[0]?.slice(root.length) ?? '';
        if (!plant.edits.some((edit) => edit.file === file)) return null;
        missing.delete(file);
        return { code: planted(plant, file, code), map: null };
      },
      buildEnd() {
        if (missing.size > 0)
          throw new Error(`The fault "${plant.name}" never met ${[...missing].join(', ')}`);
      },
    },
  ];
}
