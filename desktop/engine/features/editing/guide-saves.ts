import { sameValue } from '#shared/rules/same-value.ts';

import type { Core } from '#desktop/engine/account/core.ts';
import type { OpenDraft } from '#desktop/engine/drafts/open-draft.ts';
import { guideSaveOf } from '#desktop/engine/outbox/kinds/guides.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';

/** Saves of a guide that the server does not have, oldest first. */
export function openSavesOf({ outbox }: Pick<Core, 'outbox'>, guideid: string): OutboxCall[] {
  return outbox
    .about('guides', guideid)
    .filter((call) => guideSaveOf(call) !== undefined && call.state !== 'done');
}

/** Saves of a draft that the server has taken, while the draft has not yet met the version that they became. */
export function awaitedSavesOf({ outbox }: Pick<Core, 'outbox'>, open: OpenDraft): OutboxCall[] {
  const awaited = new Set(open.sentIds());
  return outbox
    .about('guides', open.id)
    .filter((call) => call.state === 'done' && awaited.has(guideSaveOf(call)?.saveId ?? ''));
}

/** Whether a draft holds edits that no waiting save contains. */
export function hasUnsavedEdits(core: Pick<Core, 'outbox'>, { id, draft }: OpenDraft): boolean {
  const waiting = openSavesOf(core, id).at(-1);
  const save = waiting === undefined ? undefined : guideSaveOf(waiting);
  if (save === undefined) return draft.isDirty();
  return !sameValue(draft.sentContent(save.saveId) ?? save.content, draft.content());
}
