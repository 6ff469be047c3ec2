import { useEffect } from 'react';

import { useLatest, type Editor } from './use-editor.ts';

/** Ctrl or Cmd with Z, Shift+Z or Y, also inside fields: the draft's own history is longer than theirs. */
export function useEditorKeys(editor: Editor): void {
  const latest = useLatest(editor);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      if (event.target instanceof Element && event.target.closest('[role="dialog"]')) return;
      const key = event.key.toLowerCase();
      const isUndo = key === 'z' && !event.shiftKey;
      const isRedo = (key === 'z' && event.shiftKey) || key === 'y';
      if (!isUndo && !isRedo) return;
      event.preventDefault();
      void (isUndo ? latest.current.undo() : latest.current.redo());
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [latest]);
}
