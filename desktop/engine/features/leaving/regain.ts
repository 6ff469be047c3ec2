import { firstValueFrom } from 'rxjs';

import type { GuideFacts } from '#shared/model/guide.ts';
import { contentOf } from '#shared/rules/guide-content.ts';

import type { Core } from '#desktop/engine/account/core.ts';
import type { DraftManager } from '../editing/draft-manager.ts';
import type { OpenDraft } from '#desktop/engine/drafts/open-draft.ts';
import { sentLife } from '#desktop/engine/outbox/sent-log.ts';
import { keptIdOf, isAbout, type KeptWords } from '#desktop/engine/account/leaving/quarantine.ts';
import { blanks, withWords, type OwnWord } from '#desktop/engine/outbox/own-words.ts';
import { decidePage } from './regain-page.ts';

interface Deps {
  core: Core;
  drafts: DraftManager;
}

/**
 * Puts kept words up for decision whose guide or page is here again: each place becomes a conflict between the person's
 * text and the server's (README, LEAVING-6). Words that the server has taken, and still has, stay kept for the time
 * that calls stay in the log of sent calls, because the server may be restored later. `history`: the server's present
 * epoch.
 */
export async function regain(deps: Deps, history: string): Promise<void> {
  const { leaving, environment } = deps.core;
  const isOld = ({ at }: KeptWords): boolean => environment.now() - at > sentLife;
  const kept = await firstValueFrom(leaving.kept);
  const edits = kept.filter(isEdit);
  for (const items of Map.groupBy(edits, keptIdOf).values()) {
    const toDecide = items.filter((one) => !one.isOnServer || one.history !== history);
    if (!(await isSettled(deps, items, toDecide))) continue;
    const done = items.filter((one) => toDecide.includes(one) || isOld(one));
    if (done.length > 0) await leaving.release(done.map(({ id }) => id));
  }
}

/** Whether the words are of a place in the guide or page. Those of comments and planned orders are not. */
function isEdit({ words }: KeptWords): boolean {
  return words.some(({ place }) => Object.keys(place).length > 0);
}

/** Puts `toDecide` up for decision. False if the record is not here, or that is not possible yet. */
async function isSettled(
  deps: Deps,
  [first]: readonly KeptWords[],
  toDecide: readonly KeptWords[],
): Promise<boolean> {
  const { core } = deps;
  if (first === undefined) return false;
  const { collection, recordid } = first;
  const nothing = toDecide.length === 0;
  if (collection === 'guides') {
    const guide = await core.mirror.get('guides', recordid);
    return guide !== null && isAbout(first, guide.facts) && (nothing || decide(deps, guide.facts, toDecide));
  }
  const page = await core.mirror.get('wikis', recordid);
  if (page === null || !isAbout(first, page.facts)) return false;
  return nothing || decidePage(core, page.facts, latest(toDecide), lastAt(toDecide));
}

function lastAt(items: readonly KeptWords[]): number {
  return Math.max(...items.map(({ at }) => at));
}

/** Makes a contested draft of kept words. False while the guide has a draft already, also one that cannot be read. */
async function decide(
  { core, drafts }: Deps,
  theirs: GuideFacts,
  items: readonly KeptWords[],
): Promise<boolean> {
  const guideid = String(theirs.guideid);
  if (drafts.find(guideid) !== undefined || drafts.isUnreadable(guideid)) return false;
  const { environment } = core;
  const words = latest(items);
  const theirContent = contentOf(theirs);
  const uuid = (): string => environment.uuid();
  const blank = withWords(theirContent, blanks(words, theirContent), uuid);
  const mine = withWords(theirContent, words, uuid);
  const open = await drafts.openFor(guideid, theirs);
  const merges = open.draft.meet(blank, mine, theirs);
  const { draft } = open;
  if (draft.conflicts.length > 0) await drafts.announce(open, { merges, mineAt: lastAt(items) });
  else if (draft.isDirty()) await keepOpen(open);
  else await drafts.lose(open);
  return true;
}

async function keepOpen(open: OpenDraft): Promise<void> {
  open.markSaved(false);
  await open.flush();
}

/** The latest words of each place. */
function latest(items: readonly KeptWords[]): OwnWord[] {
  const byPlace = new Map<string, OwnWord>();
  for (const { words } of items.toSorted((a, b) => a.at - b.at))
    for (const word of words) byPlace.set(JSON.stringify(word.place), word);
  return [...byPlace.values()];
}
