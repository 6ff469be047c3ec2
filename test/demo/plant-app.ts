import type { Plugin } from 'vite';

import { planted, projectRoot, type PlantedFault } from '#test/support/planted-fault.ts';

/** A plugin that plants a fault into the app during the build; the build fails if a text of the fault is missing. */
export function plantIntoApp(fault: PlantedFault): Plugin[] {
  const missing = new Set(fault.edits.map((edit) => edit.file));
  return [
    {
      name: 'plant-fault',
      enforce: 'pre',
      transform(code, id) {
        const path = id.split('?')[0] ?? '';
        const source = planted(fault, path, () => code);
        if (source === undefined) return null;
        missing.delete(path.slice(projectRoot.length));
        return { code: source, map: null };
      },
      buildEnd() {
        if (missing.size > 0)
          throw new Error(`The fault "${fault.name}" never met ${[...missing].join(', ')}`);
      },
    },
  ];
}
