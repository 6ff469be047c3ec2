import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A fault planted into the sources when they are loaded or built, to show that a check detects it. */
export interface PlantedFault {
  name: string;
  /** What breaks. */
  breaks: string;
  where: 'server' | 'app';
  /** File relative to the project, and the text to replace; it must occur exactly once. */
  edits: { file: string; find: string; replace: string }[];
}

/** The folder to which the files of faults are relative; ends in a slash. */
export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** The source with the edits of a fault; undefined for a file without edits. Throws if an edit does not match. */
export function planted(fault: PlantedFault, path: string, source: () => string): string | undefined {
  const file = path.slice(projectRoot.length);
  const edits = path.startsWith(projectRoot) ? fault.edits.filter((edit) => edit.file === file) : [];
  if (edits.length === 0) return undefined;
  return edits.reduce((text, { find, replace }) => {
    const parts = text.split(find);
    if (parts.length !== 2)
      throw new Error(
        `The fault "${fault.name}" does not fit ${file}: its text occurs ${parts.length - 1} times`,
      );
    return parts.join(replace);
  }, source());
}

/** Plants a fault into the modules of this thread. Call it before they are imported. */
export function plantHere(fault: PlantedFault): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.startsWith('file:')) return loaded;
      const text = (): string => {
        const { source = '' } = loaded;
        return typeof source === 'string' ? source : new TextDecoder().decode(source ?? undefined);
      };
      const source = planted(fault, fileURLToPath(url), text);
      return source === undefined ? loaded : { ...loaded, source };
    },
  });
}
