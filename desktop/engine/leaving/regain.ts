import { firstValueFrom } from 'rxjs';

import type { GuideFacts } from '#shared/model/guide.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { guideEditBody } from '#shared/rules/guide-edit-body.ts';

import type { Core } from '../core.ts';
import type { DraftBook } from '../draft-book.ts';
import type { GuideSave } from '../guide-save.ts';
import type { OpenDraft } from '../open-draft.ts';
import { blanks, withWords, type OwnWord } from './own-words.ts';
import type { KeptWords } from './quarantine.ts';

interface World {
  core: Core;
  drafts: DraftBook;
}

/**
 * Words that were kept apart and whose guide is here again become a decision: each of their places is contested between
 * the person and the server's version (README, LV6). What the server had taken, and has not forgotten since, is let go.
 */
export async function regain(world: World, history: string): Promise<void> {
  const { core } = world;
  const kept = await firstValueFrom(core.leaving.kept);
  for (const [recordid, items] of Map.groupBy(kept.filter(isEdit), (one) => one.recordid)) {
    const record = await core.mirror.get('guides', recordid);
    if (record === null) continue;
    const isToDecide = items.filter((one) => !one.isOnServer || one.history !== history);
    if (isToDecide.length > 0 && !(await decide(world, record.facts, isToDecide))) continue;
    await core.leaving.release(items.map(({ id }) => id));
  }
}

function isEdit({ collection, isComment }: KeptWords): boolean {
  return collection === 'guides' && !isComment;
}

/** False while somebody edits the guide: their draft comes first. */
async function decide(
  { core, drafts }: World,
  theirs: GuideFacts,
  items: readonly KeptWords[],
): Promise<boolean> {
  const guideid = String(theirs.guideid);
  if (drafts.find(guideid) !== undefined) return false;
  const { environment, outbox } = core;
  const words = latest(items);
  const there = contentOf(theirs);
  const uuid = (): string => environment.uuid();
  const blank = withWords(there, blanks(words, there), uuid);
  const mine = withWords(there, words, uuid);
  const open = await drafts.openFor(guideid, theirs);
  const merges = open.draft.meet(blank, mine, theirs);
  const { draft } = open;
  if (draft.conflicts.length > 0) {
    const content = draft.content();
    const save: GuideSave = {
      saveId: environment.uuid(),
      base: theirs,
      before: there,
      content,
      contest: {
        merges,
        mineAt: Math.max(...items.map(({ at }) => at)),
        theirsAt: theirs.modified_date * 1000,
      },
    };
    await keepOpen(open, true);
    await outbox.add([
      {
        kind: 'guide-save',
        lane: `guide:${guideid}`,
        method: 'PATCH',
        path: `/guides/${guideid}`,
        query: { revisionid: String(theirs.revisionid) },
        body: guideEditBody(theirs, content) ?? {},
        target: { collection: 'guides', id: guideid },
        subject: theirs.title,
        context: save,
        state: 'conflict',
      },
    ]);
  } else if (draft.isDirty()) await keepOpen(open, false);
  else await drafts.lose(open);
  return true;
}

async function keepOpen(open: OpenDraft, isContested: boolean): Promise<void> {
  open.markSaved(isContested);
  await open.flush();
}

/** Of several words in one place the last ones. */
function latest(items: readonly KeptWords[]): OwnWord[] {
  const byPlace = new Map<string, OwnWord>();
  for (const { words } of items.toSorted((a, b) => a.at - b.at))
    for (const word of words) byPlace.set(JSON.stringify(word.place), word);
  return [...byPlace.values()];
}
