import type { GuideEditOperation } from '#shared/rules/guide-edit.ts';

import type { OpenDraft } from '../drafts/open-draft.ts';
import type { ActionContext } from './calls.ts';

/** Edits the open draft. Null when its guide has left: then the edit is among the words that are kept. */
export async function editOpen(
  { drafts, leaving }: ActionContext,
  guideid: string,
  operation: GuideEditOperation,
): Promise<OpenDraft | null> {
  if (drafts.find(guideid) === undefined && (await leaving.editLost(guideid, operation))) return null;
  const open = drafts.read(guideid);
  open.draft.apply(operation);
  return open;
}
