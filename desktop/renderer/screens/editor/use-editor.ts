import { createContext, use, useEffect, useMemo, useRef, useState } from 'react';

import type { DraftState, GuideEditOperation } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';
import { must } from '#shared/must.ts';
import { type GuideContent, type Place, placeId } from '#shared/rules/guide-content.ts';
import { missingTarget } from '#shared/rules/edit-target.ts';
import { applyEdit, madeFrom } from '#shared/rules/guide-edit.ts';

import { PendingEdits } from './pending-edits.ts';

/** The draft being edited, and the ways to change it. */
export interface Editor {
  draft: DraftState;
  userSession: PendingEdits;
  /** Grows when the draft went back or forth: fields then show what it says. */
  turn: number;
  /** The draft's content with the edits that are on their way to it. */
  content: () => GuideContent;
  /** Hands one edit to the draft; what fails is said. */
  edit: (operation: GuideEditOperation) => Promise<void>;
  undo: () => Promise<void>;
  redo: () => Promise<void>;
  /** Saving was tried: what it needs is said in its place. */
  asked: boolean;
  ask: () => void;
}

export const EditorContext = createContext<Editor | null>(null);

export function useEditor(): Editor {
  return must(use(EditorContext), 'an editor above this component');
}

/** What is wrong at a place, in words. */
export function useProblem(place: Place): string | undefined {
  const { draft } = useEditor();
  const id = placeId(place);
  return draft.problems.find((problem) => problem.place === id)?.message;
}

export function useNewEditor(draft: DraftState): Editor {
  const actions = useActions();
  const [userSession] = useState(() => new PendingEdits());
  const [turn, setTurn] = useState(0);
  const [asked, setAsked] = useState(false);
  const { guideid } = draft;
  const ahead = useRef(draft.content);
  useEffect(() => {
    if (!userSession.isRunning()) ahead.current = draft.content;
  }, [userSession, draft.content]);
  useHandOverOnLeaving(userSession);
  const doing = useMemo(() => {
    const say = (error: unknown) => showToast(errorMessage(error), 'danger');
    const turned = async (go: (guideid: string) => Promise<void>) => {
      await userSession.flush();
      await go(guideid).catch(say);
      setTurn((before) => before + 1);
    };
    const hand = async (operation: GuideEditOperation) => {
      const edit = madeFrom(operation, ahead.current);
      // What a merge has just removed is put back by the engine.
      if (missingTarget(ahead.current, operation) === null)
        ahead.current = applyEdit(ahead.current, operation);
      await actions.editDraft(guideid, edit);
    };
    return {
      content: () => ahead.current,
      edit: (operation: GuideEditOperation) => userSession.track(hand(operation).catch(say)),
      undo: () => turned((id) => actions.undoDraft(id)),
      redo: () => turned((id) => actions.redoDraft(id)),
    };
  }, [actions, userSession, guideid]);
  return { draft, userSession, turn, asked, ask: () => setAsked(true), ...doing };
}

/** Hiding or closing the window hands over what was typed a moment ago. */
function useHandOverOnLeaving(userSession: PendingEdits): void {
  useEffect(() => {
    const handOver = () => void userSession.flush();
    window.addEventListener('pagehide', handOver);
    document.addEventListener('visibilitychange', handOver);
    return () => {
      window.removeEventListener('pagehide', handOver);
      document.removeEventListener('visibilitychange', handOver);
    };
  }, [userSession]);
}

/** The latest value, for handlers that outlive a render. */
export function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}
