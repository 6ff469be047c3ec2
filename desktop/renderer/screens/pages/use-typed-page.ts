import { z } from 'zod';

import type { PageText } from '#desktop/engine/api/page-records.ts';
import { useSessionDraft, type SessionDraft } from '#desktop/renderer/use-session-draft.ts';
import { documentRef } from '#shared/model/guide.ts';
import { imageRef } from '#shared/model/image.ts';
import { namedValue, supplier } from '#shared/model/wiki.ts';

type Named = PageText & { name: string };

export type TypedPage = SessionDraft<Named>;

const namedPage: z.ZodType<Named> = z.object({
  name: z.string(),
  displayTitle: z.string(),
  description: z.string(),
  contents: z.string(),
  image: imageRef.nullable().exactOptional(),
  flags: z.array(z.string()).exactOptional(),
  documents: z.array(documentRef).exactOptional(),
  info: z.array(namedValue).exactOptional(),
  suppliers: z.array(supplier).exactOptional(),
  parent: z.string().nullable().exactOptional(),
});

/**
 * The text of a page form, stored in this window. `id`: the person's number and the page; `revisionid`: the revision
 * of `start`.
 */
export function useTypedPage(id: string, start: Named, revisionid = 0): TypedPage {
  return useSessionDraft({ id: `page.${id}`, schema: namedPage, start, revisionid });
}
