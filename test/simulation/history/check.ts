import { contradictionOf } from './linearizable.ts';
import { regressionsOf } from './session-order.ts';
import type { History } from './play.ts';

/** What is wrong with a history, in words; empty: nothing. */
export function flawsOf({ first, operations, oddAnswers }: History): string[] {
  return [
    ...oddAnswers,
    ...[...operations].flatMap(([key, own]) => {
      const version = first.get(key);
      if (version === undefined) return [`${key} was never there`];
      const contradiction = contradictionOf(own, version);
      const regressions = regressionsOf(own).map(
        ({ client, known, told, via }) =>
          `${key}: client ${client} knew revision ${known} and was told ${told} by a ${via}`,
      );
      return [
        ...(contradiction === null
          ? []
          : [
              `${key}: no order explains what happened after ${contradiction.placed} operations, at ${JSON.stringify(contradiction.state)}: ${JSON.stringify(contradiction.stuck)}`,
            ]),
        ...regressions.slice(0, 5),
      ];
    }),
  ];
}
