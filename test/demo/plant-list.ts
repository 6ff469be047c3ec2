import { forgottenKeys } from '#test/support/forgotten-keys.ts';
import type { PlantedFault } from '#test/support/planted-fault.ts';

import type { SceneName } from './play.ts';

/** A planted fault, and the beginning of the promise that the demo then finds broken. */
export interface DemoFault extends PlantedFault {
  promise: string;
  /** The scene that finds it. */
  scene: SceneName;
}

/** Ways to break the demo's promises; with each of them it must exit with 1 and name the promise. */
export const plants: DemoFault[] = [
  {
    name: 'no-journal',
    breaks: 'What a person did lives in the page only',
    promise: 'Nothing is gone after the page was killed',
    scene: 'main-job',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/browser-platform.ts',
        find: 'openStore: () => openStore(name),',
        // A journal in memory that says so is no fault: the app tells people that it cannot save.
        replace: "openStore: () => Promise.resolve({ ...memoryStore(), durability: 'private-file-system' }),",
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
    scene: 'main-job',
    where: 'server',
    edits: forgottenKeys,
  },
  {
    name: 'revisionid-ignored',
    breaks: 'The last save wins',
    promise: "Ben's save meets a 409",
    scene: 'main-job',
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
    scene: 'main-job',
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
    scene: 'main-job',
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
    scene: 'main-job',
    where: 'server',
    edits: [
      {
        file: 'shared/rules/work-log.ts',
        find: 'active_duration: duration - pause - suspended,',
        replace: 'active_duration: duration,',
      },
    ],
  },
  {
    name: 'limits-ignored',
    breaks: 'No number is out of its limits',
    promise: 'A value out of its limits is flagged at once',
    scene: 'main-job',
    where: 'app',
    edits: [
      {
        file: 'shared/rules/field-value.ts',
        find: 'Number(value) > limits.max ?',
        replace: 'Number(value) > limits.max * 1e6 ?',
      },
    ],
  },
  {
    name: 'released-by-reporter',
    breaks: 'A release names the person who reported the deviation',
    promise: 'Its record shows 9.9',
    scene: 'main-job',
    where: 'server',
    edits: [
      {
        file: 'sync-server/features/deviations/store.ts',
        find: 'const decision = { disposition, reason, userid: mustUserid(ctx), date: ctx.seconds };',
        replace: 'const decision = { disposition, reason, userid: facts.userid, date: ctx.seconds };',
      },
    ],
  },
  {
    name: 'any-badge',
    breaks: 'A station takes any badge for that of its first person',
    promise: 'A badge of nobody is refused',
    scene: 'kiosk',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/account/station/verify.ts',
        find: 'badges.includes(verifier)',
        replace: 'badges.length > 0',
      },
    ],
  },
  {
    name: 'never-idle',
    breaks: 'A station does not lock when nobody touches it',
    promise: 'The station locks when nobody touches it',
    scene: 'kiosk',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/account/station/presence.ts',
        find: 'if (this.#rest() <= 0) this.#left();\n      else this.#wait();',
        replace: 'this.#last = null;',
      },
    ],
  },
  {
    name: 'place-forgotten',
    breaks: 'Where a person was is known until the power fails',
    promise: 'After the power cut Ana returns to the step and the value',
    scene: 'kiosk',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/account/station/station.ts',
        find: "const { values } = await this.#deps.journal.changes('meta', 0);",
        replace: 'const values = new Map<string, unknown>();',
      },
    ],
  },
  {
    name: 'one-name',
    breaks: 'Everything at a station is recorded in the name of its first person',
    promise: 'WO-2001 is complete, by Ana Ruiz',
    scene: 'kiosk',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/account/station/station.ts',
        find: 'recorded: { for: person.accountid, at, station } };',
        replace: "recorded: { for: this.now.self.people[0]?.accountid ?? '', at, station } };",
      },
    ],
  },
  {
    name: 'station-unmarked',
    breaks: 'The server does not note at which station work was recorded',
    promise: 'WO-2001 is complete, by Ana Ruiz, recorded at Grinding shop',
    scene: 'kiosk',
    where: 'server',
    edits: [
      {
        file: 'sync-server/features/work-log/store.ts',
        find: "appendEvent(blank, { type: 'start', userid, moment, stationid }, ctx.services.now())",
        replace: "appendEvent(blank, { type: 'start', userid, moment }, ctx.services.now())",
      },
      {
        file: 'sync-server/features/work-log/store.ts',
        find: 'appendEvent(entry, { ...event, stationid }, ctx.services.now())',
        replace: 'appendEvent(entry, event, ctx.services.now())',
      },
    ],
  },
];
