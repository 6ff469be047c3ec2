import { createContext, use, useEffect, useMemo, useRef, useState } from 'react';

import type { DraftState, GuideEditOperation } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { useHandOver } from '#desktop/renderer/hand-over.ts';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';
import { must } from '#shared/must.ts';
import { type GuideContent, type ContentPath, pathId } from '#shared/rules/guide-content.ts';
import { missingTarget } from '#shared/rules/edit-target.ts';
import { applyEdit, madeFrom } from '#shared/rules/guide-edit.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';

import { PendingEdits } from './pending-edits.ts';

/** The draft that is being edited, and the operations on it. */
export interface Editor {
  draft: DraftState;
  pendingEdits: PendingEdits;
  /** Increases on undo and redo, so that fields show the text of the draft again. */
  historyCount: number;
  /** The content of the draft, including edits that are being applied. */
  content: () => GuideContent;
  /** Applies one edit. Errors are shown as toasts. */
  edit: (operation: GuideEditOperation) => Promise<void>;
  undo: () => Promise<void>;
  redo: () => Promise<void>;
  /** Whether saving was attempted: missing required values are then shown at their fields. */
  saveAttempted: boolean;
  noteSaveAttempt: () => void;
  /** The problems that are told: what is missing only once its field was left, or saving was attempted. */
  problems: DraftState['problems'];
  /** Called when the field of a place is left. */
  noteLeft: (place: string) => void;
}

export const EditorContext = createContext<Editor | null>(null);

/** The editor of the nearest `EditorContext`. */
export function useEditor(): Editor {
  return must(use(EditorContext), 'an editor above this component');
}

/** The problem at a place, in words. */
export function useProblem(place: ContentPath): string | undefined {
  const { problems } = useEditor();
  const id = pathId(place);
  const found = problems.find((problem) => problem.place === id);
  return found && refusedWords(found.message, 'invalid');
}

/** Creates the editor of a draft. */
export function useNewEditor(draft: DraftState): Editor {
  const actions = useActions();
  const [pendingEdits] = useState(() => new PendingEdits());
  const [historyCount, setHistoryCount] = useState(0);
  const [saveAttempted, setSaveAttempted] = useState(false);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { guideid } = draft;
  const ahead = useRef(draft.content);
  useEffect(() => {
    if (!pendingEdits.isRunning()) ahead.current = draft.content;
  }, [pendingEdits, draft.content]);
  useHandOver(() => void pendingEdits.flush());
  const operations = useMemo(() => {
    const showError = (error: unknown) => showToast(errorMessage(error), 'danger');
    const inHistory = async (go: (guideid: string) => Promise<void>) => {
      await pendingEdits.flush();
      await go(guideid).catch(showError);
      setHistoryCount((before) => before + 1);
    };
    const applyToDraft = async (operation: GuideEditOperation) => {
      const edit = madeFrom(operation, ahead.current);
      // The target may be missing after a merge; the engine restores it.
      if (missingTarget(ahead.current, operation) === null)
        ahead.current = applyEdit(ahead.current, operation);
      await actions.editDraft(guideid, edit);
    };
    return {
      content: () => ahead.current,
      edit: (operation: GuideEditOperation) => pendingEdits.track(applyToDraft(operation).catch(showError)),
      undo: () => inHistory((id) => actions.undoDraft(id)),
      redo: () => inHistory((id) => actions.redoDraft(id)),
    };
  }, [actions, pendingEdits, guideid]);
  return {
    draft,
    pendingEdits,
    historyCount,
    saveAttempted,
    noteSaveAttempt: () => setSaveAttempted(true),
    problems: draft.problems.filter(
      ({ place, missing }) => missing !== true || saveAttempted || left.has(place),
    ),
    noteLeft: (place) => setLeft((now) => (now.has(place) ? now : new Set([...now, place]))),
    ...operations,
  };
}

/** The latest value, for handlers that outlive a render. */
export function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}
