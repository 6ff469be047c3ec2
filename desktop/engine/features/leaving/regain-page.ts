import { asJson, contest, type ValueConflict } from '#shared/merge/conflict.ts';
import { mergeWiki, resolveWikiConflict, type WikiContent, type WikiMerge } from '#shared/merge/wiki.ts';
import { wikiVersion, type WikiFacts } from '#shared/model/wiki.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { newestVersion, shownTitle } from '#shared/rules/wiki-record.ts';

import type { Core } from '#desktop/engine/account/core.ts';
import { isOpen } from '../records/overlay/applies.ts';
import { pagePath, wikiContentOf, type WikiSave } from '#desktop/engine/outbox/kinds/pages.ts';
import type { OwnWord } from '#desktop/engine/outbox/own-words.ts';

/**
 * Adds a contested save of a page, in which the person decides between their words and the server's version. False
 * while other calls about the page wait, or if a text has no place in the page; then all words stay kept.
 */
export async function decidePage(
  { outbox }: Core,
  facts: WikiFacts,
  words: readonly OwnWord[],
  mineAt: number,
): Promise<boolean> {
  const id = String(facts.wikiid);
  if (outbox.about('wikis', id).some(isOpen)) return false;
  const version = newestVersion(facts);
  const { namespace, langid, revisionid, userid } = version;
  const theirContent = wikiContentOf(version);
  const mine = pageWithWords(theirContent, words);
  if (mine === undefined) return false;
  const { merged: content, conflicts, merges } = contested(mine, theirContent);
  if (conflicts.length === 0) return true;
  const base = { revisionid, content: theirContent };
  await outbox.add([
    {
      kind: 'wiki-save',
      lane: `wiki:${id}`,
      method: 'PATCH',
      path: pagePath(namespace, version.title),
      query: { revisionid: String(revisionid), ...(version.source_revisionid === null ? {} : { langid }) },
      body: {},
      target: { collection: 'wikis', id },
      subject: shownTitle(version),
      context: {
        namespace,
        base,
        content,
        contest: {
          theirs: { ...base, userid },
          conflicts,
          merges,
          mineAt,
          theirsAt: version.modified_date * 1000,
        },
      } satisfies WikiSave,
      state: 'conflict',
    },
  ]);
  return true;
}

/** The page with a person's words in their places; undefined if one of them has no place. */
function pageWithWords(theirContent: WikiContent, words: readonly OwnWord[]): WikiContent | undefined {
  const next = words.reduce((content, { place, value }) => {
    const word: ValueConflict = {
      id: '',
      kind: 'value',
      place,
      base: null,
      mine: value,
      theirs: null,
      provisional: null,
      suggested: value,
    };
    return resolveWikiConflict(content, word, 'mine');
  }, theirContent);
  return wikiVersion.partial().safeParse(next).success ? next : undefined;
}

/**
 * A merge with a conflict in every field in which the two differ. Until decided, the content has the server's version.
 */
function contested(mine: WikiContent, theirContent: WikiContent): WikiMerge {
  const { description, contents_raw } = mine;
  const merge = mergeWiki(
    blanked(mine, theirContent),
    { ...theirContent, description, contents_raw },
    theirContent,
  );
  const decided = new Set(merge.conflicts.map(({ place }) => place.field));
  const others = new Map<string, unknown>(Object.entries(theirContent));
  for (const [field, value] of Object.entries(mine)) {
    const other = others.get(field) ?? (Array.isArray(value) ? [] : null);
    if (decided.has(field) || sameValue(value, other)) continue;
    const theirs = asJson(other);
    contest(merge, {
      place: { field },
      kind: 'value',
      base: null,
      mine: asJson(value),
      theirs,
      provisional: theirs,
      suggested: theirs,
    });
  }
  return merge;
}

/** A base for the merge: where the texts differ, it has a text that neither side has, so that both count as changed. */
function blanked(mine: WikiContent, theirContent: WikiContent): WikiContent {
  const blank = { ...theirContent };
  for (const field of ['description', 'contents_raw'] as const) {
    const texts = [mine[field], theirContent[field]];
    if (mine[field] !== theirContent[field])
      blank[field] = ['', ' ', '  '].find((one) => !texts.includes(one)) ?? '';
  }
  return blank;
}
