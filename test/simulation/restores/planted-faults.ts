import type { PlantedFault } from '#test/support/planted-fault.ts';

/** `isQuick`: found by one of the first seeds, so that `npm test` has the time for it. */
export interface RestoreFault extends PlantedFault {
  isQuick?: true;
}

/** Faults that the restores must find. */
export const plantedFaults: readonly RestoreFault[] = [
  {
    name: 'dropped-decision',
    breaks: 'A decision that cannot be shown is dropped',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/draft-book.ts',
        find: 'if (first === undefined) return;',
        replace: 'if (first === undefined || saves.length > 0) return;',
      },
      {
        file: 'desktop/engine/actions/conflicts.ts',
        find: "return { action: 'park', message: undecidable };",
        replace: "{ void undecidable; return { action: 'drop' }; }",
      },
    ],
  },
  {
    name: 'done-forgotten',
    breaks: 'A call that was acknowledged beyond the last pull is not offered again',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/outbox/offer.ts',
        find: "if (call.state === 'done') return toOffer(next);",
        replace: "if (call.state === 'done') return [];",
      },
    ],
  },
  {
    name: 'own-answers-unnoted',
    breaks: 'The place in answers to own calls is not told again',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/outbox/sender.ts',
        find: '        link.learnPlace(result.place);\n',
        replace: '',
      },
    ],
  },
  {
    name: 'no-leap',
    isQuick: true,
    breaks: 'Numbers are given again after a restore',
    where: 'server',
    edits: [
      {
        file: 'sync-server/storage/leap.ts',
        find: 'export const leapSize = 1_000_000;',
        replace: 'export const leapSize = 0;',
      },
    ],
  },
  {
    name: 'number-alone',
    isQuick: true,
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
    name: 'applied-twice',
    breaks: 'What is offered again has another key than before',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/outbox/offer-again.ts',
        find: '    ...call,\n    // The draft of a save',
        replace: '    ...call,\n    id: `${call.id.slice(0, -2)}ff`,\n    // The draft of a save',
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
        find: '    returning.push(...refused);\n',
        replace: '    void refused;\n',
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
        find: '(isThere ? returning : gone).push(call);',
        replace: 'void isThere; gone.push(call);',
      },
    ],
  },
  {
    name: 'old-numbers',
    breaks: 'What is to be made again is still named by the number that it had',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/outbox/offer-again.ts',
        find: 'return sent.map((call) => toOffer(withTemporaryIds(call, made)));',
        replace: 'void made; return sent.map((call) => toOffer(call));',
      },
    ],
  },
];
