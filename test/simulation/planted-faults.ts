import { registerHooks } from 'node:module';

/** A fault planted into a source file: the simulation must find it. */
export interface PlantedFault {
  name: string;
  /** In whose thread. */
  on: 'server' | 'device';
  file: string;
  /** Text of the file that is replaced; it must be there. */
  find: string;
  replace: string;
}

export const plantedFaults = {
  ignoredRevision: {
    name: 'the server ignores the revisionid of a save',
    on: 'server',
    file: 'sync-server/resources/guides/store.ts',
    find: `  const moved =
    revisionid !== before.revisionid ||
    (steps !== undefined && !namesEveryStep(before, steps, removed ?? []));`,
    replace: `  const moved = false;
  void namesEveryStep;`,
  },
  droppedTheirs: {
    name: 'the merge drops what the other side wrote',
    on: 'device',
    file: 'desktop/engine/actions/conflicts.ts',
    find: 'const merge = mergeGuide(save.before, save.content, contentOf(theirs));',
    replace: 'const merge = { merged: save.content, conflicts: [] as unknown[] }; void mergeGuide;',
  },
  newKey: {
    name: 'a call that is sent again gets a new key',
    on: 'device',
    file: 'desktop/engine/outbox/sender.ts',
    find: `        .filter((call) => ids.has(call.id) && isSending(call))
        .map((call) => ({ ...call, state: 'queued' })),
    }));`,
    replace: `        .filter((call) => ids.has(call.id) && isSending(call))
        .map((call) => ({ ...call, state: 'queued', id: this.#world.environment.uuid() })),
      drop: [...ids],
    }));`,
  },
} satisfies Record<string, PlantedFault>;

/** Plants a fault into this thread; call before its file is imported. */
export function plant(fault: PlantedFault): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(fault.file)) return loaded;
      const { source: found = '' } = loaded;
      const source = typeof found === 'string' ? found : new TextDecoder().decode(found ?? undefined);
      if (!source.includes(fault.find))
        throw new Error(`${fault.file} no longer holds what "${fault.name}" replaces`);
      return { ...loaded, source: source.replace(fault.find, () => fault.replace) };
    },
  });
}
