import { typedPage, type NamedPage } from '#desktop/renderer/typed-forms.ts';
import { useSessionDraft, type SessionDraft } from '#desktop/renderer/use-session-draft.ts';

export type TypedPage = SessionDraft<NamedPage>;

/**
 * The text of a page form, stored in this window. `id`: the person's number and the page; `revisionid`: the revision
 * of `start`.
 */
export function useTypedPage(id: string, start: NamedPage, revisionid = 0): TypedPage {
  return useSessionDraft({ id: `page.${id}`, schema: typedPage, start, revisionid });
}
