import { forgottenKeys } from '#test/support/forgotten-keys.ts';
import type { PlantedFault } from '#test/support/planted-fault.ts';

/** A planted fault, and the beginning of the promise that the demo then finds broken. */
export interface DemoFault extends PlantedFault {
  promise: string;
}

/** Six ways to break the demo's promises; with each of them it must exit with 1 and name the promise. */
export const plants: DemoFault[] = [
  {
    name: 'no-journal',
    breaks: 'What a person did lives in the page only',
    promise: 'Nothing is gone after the page was killed',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/browser-platform.ts',
        find: 'openStore: () => openStore(name),',
        replace: 'openStore: () => Promise.resolve(memoryStore()),',
      },
      // Records lost in the journal are restored from the database, so both must be lost.
      {
        file: 'desktop/engine/account/session-store.ts',
        find: 'const text = await this.#platform.secrets.read(copyName);',
        replace: "const text = await this.#platform.secrets.read('nothing');",
      },
    ],
  },
  {
    name: 'no-idempotency',
    breaks: 'A call delivered twice has its effect twice',
    promise: 'There is one work order',
    where: 'server',
    edits: forgottenKeys,
  },
  {
    name: 'revisionid-ignored',
    breaks: 'The last save wins',
    promise: "Ben's save meets a 409",
    where: 'server',
    edits: [
      {
        file: 'sync-server/features/guides/edit.ts',
        find: 'if (moved) throw conflict(await fullGuide(ctx, before, { ownStepsOnly: true }));\n  await createItemPages',
        replace: 'await createItemPages',
      },
      {
        file: 'sync-server/features/guides/edit.ts',
        find: '...(steps === undefined || moved ? {} : { steps }),',
        replace: '...(steps === undefined ? {} : { steps }),',
      },
    ],
  },
  {
    name: 'overlap-overwritten',
    breaks: 'A contradiction is settled without asking',
    promise: "Ben's save meets a 409",
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/actions/conflicts.ts',
        find: 'if (merge.conflicts.length === 0) {',
        replace: 'if (merge.conflicts.length >= 0) {\n    merge.merged = save.content;',
      },
    ],
  },
  {
    name: 'photo-dropped',
    breaks: 'Photos never become part of the work order',
    promise: 'Every kind of form field was recorded',
    where: 'server',
    edits: [
      {
        file: 'sync-server/features/work-log/store.ts',
        find: 'data: read.values,',
        replace: "data: read.values.filter((one) => one.field_type !== 'Image'),",
      },
    ],
  },
  {
    name: 'pause-ignored',
    breaks: 'The clock runs on while a work order is paused',
    promise: 'Its duration is',
    where: 'server',
    edits: [
      {
        file: 'shared/rules/work-log.ts',
        find: 'active_duration: duration - pause - suspended,',
        replace: 'active_duration: duration,',
      },
    ],
  },
];
