import { forgottenKeys } from '#test/support/forgotten-keys.ts';
import type { PlantedFault } from '#test/support/planted-fault.ts';

/** `isQuick`: found within seconds, so that `npm test` can include it. */
export interface RestoreFault extends PlantedFault {
  isQuick?: true;
}

/** Faults that the simulation must find. */
export const plantedFaults: readonly RestoreFault[] = [
  {
    name: 'number-alone',
    breaks: 'A call counts for whatever has the number of its record',
    where: 'server',
    edits: [
      {
        file: 'sync-server/sync/batch.ts',
        find: 'return found !== undefined && found.uid',
        replace: 'return false && found !== undefined && found.uid',
      },
    ],
  },
  {
    name: 'newer-overwritten',
    breaks: 'A save that is offered again overwrites a newer text',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/actions/conflicts.ts',
        find: 'const merge = mergeGuide(save.before, save.content, contentOf(theirs));',
        replace: 'const merge = { merged: save.content, conflicts: [] as unknown[] }; void mergeGuide;',
      },
    ],
  },
  {
    name: 'dropped-refusal',
    breaks: 'What the restored server refuses is dropped',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/outbox/offer.ts',
        find: "if (verdictOf(results.get(id)?.status ?? 0) !== 'done') returning.add(id);",
        replace: 'void id;',
      },
    ],
  },
  {
    name: 'dropped-files',
    breaks: 'Files are not sent again',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/outbox/offer.ts',
        find: 'if (await deps.hasFile(call.fileId)) returning.add(call.id);\n    else gone.push(call);',
        replace: 'gone.push(call);',
      },
    ],
  },
  {
    name: 'record-unsaid',
    breaks: 'A call does not say which record it is for',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/outbox/replay-after-restore.ts',
        find: '...(isCompared ? { record } : {}),',
        replace: '...(isCompared ? {} : {}),',
      },
    ],
  },
  {
    name: 'answers-unnoticed',
    breaks: 'A device does not note the places in answers to its own calls',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/outbox/batch-sender.ts',
        find: '        connection.learnPlace(result.place);',
        replace: '',
      },
    ],
  },
  {
    name: 'nothing-offered',
    isQuick: true,
    breaks: 'What the server forgot is not offered again',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/outbox/offer.ts',
        find: 'const sent = await outbox.log.read();',
        replace: 'const sent = (await outbox.log.read()).slice(0, 0);',
      },
    ],
  },
  {
    name: 'key-forgotten',
    isQuick: true,
    breaks: 'A call that the server still knows has its effect again',
    where: 'server',
    edits: forgottenKeys,
  },
];
