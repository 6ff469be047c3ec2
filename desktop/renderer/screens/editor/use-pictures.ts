import { useEffect } from 'react';
import type { DropItem } from 'react-aria-components';

import type { MadePicture } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import type { StepContent } from '#shared/rules/guide-content.ts';
import { guideLimits } from '#shared/rules/guide-limits.ts';

import { useEditor, useLatest } from './use-editor.ts';

/** Adds files to a step as pictures, up to the limit, and reports those that were left out. */
export function usePictures(step: StepContent): { add: (files: File[]) => void; busy: boolean } {
  const { draft, pendingEdits } = useEditor();
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const taken = step.media.type === 'image' ? step.media.data.length : 0;
  const add = (files: File[]) => {
    const pictures = files.filter(({ type }) => type.startsWith('image/'));
    if (pictures.length === 0) {
      if (files.length > 0) showToast(text.editor.noPictures, 'danger');
      return;
    }
    const room = Math.max(0, guideLimits.pictures - taken);
    if (pictures.length > room) showToast(text.editor.picturesFull(guideLimits.pictures));
    act(async () => {
      await pendingEdits.flush();
      for (const file of pictures.slice(0, room)) {
        await actions.addDraftPicture(draft.guideid, step.key, file, file.name);
      }
    });
  };
  return { add, busy };
}

/** Puts a picture that was made from one of a step in its place. Resolves to the guid of the new one. */
export function useReplacedPicture(step: StepContent): (guid: string, made: MadePicture) => Promise<string> {
  const { draft, pendingEdits } = useEditor();
  const actions = useActions();
  return async (guid, made) => {
    await pendingEdits.flush();
    return actions.replaceDraftPicture(draft.guideid, step.key, guid, made);
  };
}

/**
 * Handles pictures pasted anywhere on the page; pasted text is left alone. `add` is null while pictures cannot be
 * added.
 */
export function usePastedPictures(add: ((files: File[]) => void) | null): void {
  const latest = useLatest(add);
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0 || latest.current === null) return;
      event.preventDefault();
      latest.current(files);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [latest]);
}

/** The files among dropped items. */
export async function pictureFilesOf(items: readonly DropItem[]): Promise<File[]> {
  const files = await Promise.all(items.map(async (item) => (item.kind === 'file' ? item.getFile() : null)));
  return files.filter((file) => file !== null);
}
