import type { PageText } from '#desktop/engine/api/page-records.ts';
import { useSessionDraft, type Kept } from '#desktop/renderer/use-session-draft.ts';

type Named = PageText & { name: string };

export type KeptText = Kept<Named>;

/**
 * The text of a page form, stored in this window. `id`: the person's number and the page; `revisionid`: the revision
 * of `start`.
 */
export function useKeptText(id: string, start: Named, revisionid = 0): KeptText {
  return useSessionDraft(`page.${id}`, start, revisionid);
}
