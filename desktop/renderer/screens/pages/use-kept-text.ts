import type { PageText } from '#desktop/engine/api/page-records.ts';
import { useSessionDraft, type Kept } from '#desktop/renderer/use-session-draft.ts';

type Named = PageText & { name: string };

export type KeptText = Kept<Named>;

/** What a person types into a page. `id` names the person, by number, and the page; `revisionid` is of the version that `start` says. */
export function useKeptText(id: string, start: Named, revisionid = 0): KeptText {
  return useSessionDraft(`page.${id}`, start, revisionid);
}
