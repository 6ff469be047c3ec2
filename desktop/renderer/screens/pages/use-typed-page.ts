import { typedPage, type NamedPage } from '#desktop/renderer/typed-forms.ts';
import { useFormDraft, type FormDraft } from '#desktop/renderer/use-form-draft.ts';

export type TypedPage = FormDraft<NamedPage>;

/**
 * The text of a page form, stored on this device. `id`: the person's number and the page; `page`: the page that it edits,
 * with the revision of `start`.
 */
export function useTypedPage(
  id: string,
  start: NamedPage,
  page: { wikiid: string; revisionid: number } | null = null,
): TypedPage {
  return useFormDraft({
    id: `page.${id}`,
    schema: typedPage,
    start,
    revisionid: page?.revisionid ?? 0,
    wikiid: page?.wikiid ?? null,
  });
}
