import type { PageText } from '#desktop/engine/api/page-records.ts';
import { useSessionDraft, type SessionDraft } from '#desktop/renderer/use-session-draft.ts';

type Named = PageText & { name: string };

export type TypedPage = SessionDraft<Named>;

/**
 * The text of a page form, stored in this window. `id`: the person's number and the page; `revisionid`: the revision
 * of `start`.
 */
export function useTypedPage(id: string, start: Named, revisionid = 0): TypedPage {
  return useSessionDraft(`page.${id}`, start, revisionid);
}
