import { useState } from 'react';

import type { GuideConflicts, GuideConflictView } from '#desktop/engine/api/conflict-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useFormDraft, useFormId } from '#desktop/renderer/use-form-draft.ts';

import {
  choiceOf,
  decisionFor,
  typedDecisions,
  withDecision,
  type Decision,
  type Decisions,
} from './decision.ts';

const none: { decisions: Decisions } = { decisions: {} };

/**
 * The choices of a person about the conflicts of a guide, until they are saved.
 *
 * - DECIDE-2 Nothing is chosen beforehand. Choices are kept on this device until they are saved. A choice ends when one of
 *   its versions changes.
 * - DECIDE-3 Every choice can be undone, a choice for all as one.
 */
export function useDecisions({ guideid, conflicts }: GuideConflicts) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const draft = useFormDraft({
    id: useFormId('decisions', guideid),
    schema: typedDecisions,
    start: none,
  });
  const { decisions } = draft.text;
  const [earlier, setEarlier] = useState<readonly Decisions[]>([]);
  const decided = conflicts.flatMap((conflict) => {
    const { conflictid, versions } = conflict;
    const decision = decisionFor(decisions, conflict);
    return decision === null ? [] : [{ conflictid, versions, choice: choiceOf(decision) }];
  });
  const left = conflicts.length - decided.length;
  return {
    of: (conflict: GuideConflictView) => decisionFor(decisions, conflict),
    left,
    busy,
    canUndo: earlier.length > 0,
    /** Chooses for these conflicts. `isTyping`: the same step of undo as the choice before. */
    decide: (about: readonly GuideConflictView[], decision: Decision, isTyping = false) => {
      if (!isTyping) setEarlier([...earlier, decisions]);
      draft.change({ decisions: withDecision(decisions, about, decision) });
    },
    undo: () => {
      draft.change({ decisions: earlier.at(-1) ?? {} });
      setEarlier(earlier.slice(0, -1));
    },
    save: () => {
      if (left > 0 || busy) return;
      act(async () => {
        await actions.resolveConflicts(guideid, decided);
        draft.forget();
      });
    },
  };
}

export type Deciding = ReturnType<typeof useDecisions>;
