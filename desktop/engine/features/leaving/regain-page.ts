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
 * Adds a save of a page in which the person decides between their words and the server's version.
 * False while other calls about the page wait, and where a word has no place in the page: then all stay kept.
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
  const there = wikiContentOf(version);
  const mine = pageWithWords(there, words);
  if (mine === undefined) return false;
  const { merged: content, conflicts, merges } = contested(mine, there);
  if (conflicts.length === 0) return true;
  const base = { revisionid, content: there };
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

/** A page with a person's words in their places; undefined where one of them has none. */
function pageWithWords(there: WikiContent, words: readonly OwnWord[]): WikiContent | undefined {
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
  }, there);
  return wikiVersion.partial().safeParse(next).success ? next : undefined;
}

/** Contests every field in which the two differ; the content holds the server's version of it meanwhile. */
function contested(mine: WikiContent, there: WikiContent): WikiMerge {
  const { description, contents_raw } = mine;
  const merge = mergeWiki(blanked(mine, there), { ...there, description, contents_raw }, there);
  const decided = new Set(merge.conflicts.map(({ place }) => place.field));
  const others = new Map<string, unknown>(Object.entries(there));
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

/** The server's version with texts that neither side has where the two differ, so that no text merges by itself. */
function blanked(mine: WikiContent, there: WikiContent): WikiContent {
  const blank = { ...there };
  for (const field of ['description', 'contents_raw'] as const) {
    const texts = [mine[field], there[field]];
    if (mine[field] !== there[field])
      blank[field] = ['', ' ', '  '].find((one) => !texts.includes(one)) ?? '';
  }
  return blank;
}
