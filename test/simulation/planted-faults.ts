import type { PlantedFault } from '#test/support/planted-fault.ts';

/** Faults that the simulation must find. */
export const plantedFaults = {
  ignoredRevision: {
    name: 'ignored-revision',
    breaks: 'The server ignores the revisionid of a save',
    where: 'server',
    edits: [
      {
        file: 'sync-server/features/guides/edit.ts',
        find: `  const moved =
    revisionid !== before.revisionid ||
    (steps !== undefined && !namesEveryStep(before, steps, removed ?? []));`,
        replace: `  const moved = false;
  void namesEveryStep;`,
      },
    ],
  },
  droppedTheirs: {
    name: 'dropped-theirs',
    breaks: 'The merge drops what the other side wrote',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/actions/conflicts.ts',
        find: 'const merge = mergeGuide(save.before, save.content, contentOf(theirs));',
        replace: 'const merge = { merged: save.content, conflicts: [] as unknown[] }; void mergeGuide;',
      },
    ],
  },
  newKey: {
    name: 'new-key',
    breaks: 'A call that is sent again gets a new key',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/outbox/in-flight.ts',
        find: `        .filter(({ state }) => state === 'sending')
        .map((call) => ({ ...call, state: 'queued' })),
    }));`,
        replace: `        .filter(({ state }) => state === 'sending')
        .map((call) => ({ ...call, state: 'queued', id: crypto.randomUUID() })),
      drop: calls.map(({ id }) => id),
    }));`,
      },
    ],
  },
} satisfies Record<string, PlantedFault>;
