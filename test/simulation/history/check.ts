import { contradictionOf } from './linearizable.ts';
import { regressionsOf } from './session-order.ts';
import type { CommentLedger, History } from './play.ts';

/** The flaws of a history, in words; empty: none. */
export function flawsOf({ first, operations, oddAnswers, comments }: History): string[] {
  return [
    ...oddAnswers,
    ...lostOrDoubled(comments),
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

/** An acknowledged comment exists once; one without a response, once or never. */
function lostOrDoubled({ acknowledged, unknown, found }: CommentLedger): string[] {
  const counts = Map.groupBy(found, (text) => text);
  const lost = [...acknowledged].filter((text) => !counts.has(text));
  const doubled = [...counts].filter(([, all]) => all.length > 1).map(([text]) => text);
  const unasked = [...counts.keys()].filter((text) => !acknowledged.has(text) && !unknown.has(text));
  return [
    ...lost.map((text) => `The comment "${text}" was acknowledged and is gone`),
    ...doubled.map((text) => `The comment "${text}" is there more than once`),
    ...unasked.map((text) => `Nobody wrote the comment "${text}"`),
  ];
}
