import { must } from '#shared/must.ts';
import { guideEditBody } from '#shared/rules/guide-edit-body.ts';

import type { CoreActions } from '../api/engine.ts';
import type { Decision } from '../api/conflict-records.ts';
import { contestedIn, mustBeSeen, mustReopen, reopening, tooLate } from '../features/editing/decisions.ts';
import type { ActionContext } from '../features/action-context.ts';
import { guideSaveOf, type GuideSave } from '../outbox/kinds/guides.ts';
import { contestedWords } from '../outbox/own-words.ts';
import { queueResolved } from './conflicts.ts';
import { reopenWiki, resolveWiki } from './wiki-conflicts.ts';

const pagePrefix = 'wiki:';

/** Actions on conflicts. */
export function decisionActions(
  context: ActionContext,
): Pick<CoreActions, 'resolveConflicts' | 'reopenConflicts'> {
  return {
    resolveConflicts: (id, decisions) =>
      id.startsWith(pagePrefix)
        ? resolveWiki(context, id.slice(pagePrefix.length), decisions)
        : resolveGuide(context, id, decisions),
    reopenConflicts: (id) =>
      id.startsWith(pagePrefix) ? reopenWiki(context, id.slice(pagePrefix.length)) : reopenGuide(context, id),
  };
}

async function resolveGuide(
  context: ActionContext,
  guideid: string,
  decisions: readonly Decision[],
): Promise<void> {
  const { drafts } = context;
  await drafts.toEdit();
  const open = drafts.read(guideid);
  const { draft } = open;
  mustBeSeen(decisions, draft.conflicts, 'guide');
  const save = contestedIn(drafts.openSaves(guideid)).map(guideSaveOf)[0];
  const before = { content: draft.content(), conflicts: draft.conflicts };
  for (const { conflictid, choice } of decisions)
    draft.resolve(conflictid, choice.take === 'text' ? { text: choice.text } : choice.take);
  await open.flush();
  const { base } = draft;
  if (draft.conflicts.length === 0 && save?.contest !== undefined && base !== null)
    drafts.decidedConflicts.set(context.resolve(guideid), {
      kind: 'guide',
      ...before,
      decided: draft.content(),
      contest: save.contest,
      saveId: save.saveId,
      isDropped: guideEditBody(base, draft.content()) === null,
      revisionid: base.revisionid,
    });
  await queueResolved(context, guideid);
}

/** Puts the conflicts that were decided last up for decision again, while the server does not have the decisions. */
async function reopenGuide(context: ActionContext, guideid: string): Promise<void> {
  const { drafts, sources } = context;
  await drafts.toEdit();
  const id = context.resolve(guideid);
  const undecided = drafts.decidedConflicts.get(id);
  const record = await sources.core.mirror.get('guides', id);
  if (undecided?.kind !== 'guide' || record === null) throw tooLate();
  const { content, conflicts, contest, saveId } = undecided;
  const { revisionid } = record.facts;
  const mustStillReopen = (): void => {
    const draft = drafts.find(id)?.draft.content();
    mustReopen(reopening(undecided, { waiting: drafts.openSaves(id), revisionid, draft }));
  };
  mustStillReopen();
  const open = drafts.find(id) ?? (await drafts.openFor(id, record.facts));
  await open.hold(async () => {
    mustStillReopen();
    const [call] = drafts.openSaves(id);
    if (call !== undefined) {
      const save = must(guideSaveOf(call), 'the save');
      const next: GuideSave = { ...save, contest: { ...contest, mine: contestedWords(conflicts) } };
      await sources.core.outbox.change(call.id, { state: 'conflict', context: next });
    }
    open.draft.forgetSent(saveId);
    open.draft.reopen(content, conflicts);
    open.markSaved(true);
  });
  await open.flush();
  drafts.decidedConflicts.set(id, null);
  await drafts.announce(open, contest);
}
