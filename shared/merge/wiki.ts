import type { WikiFacts } from '#shared/model/wiki.ts';
import type { Place } from '#shared/rules/guide-content.ts';

import type { AutomaticMerge, Choice, Json, MergeConflict, MergeLog } from './conflict.ts';
import { asJson } from './conflict.ts';
import type { FieldRules } from './records.ts';
import { mergeFields, mergeKeyed } from './records.ts';
import { resolveAt } from './resolve.ts';

/** What an editor of a wiki can change. */
export type WikiContent = Pick<
  WikiFacts,
  | 'title'
  | 'display_title'
  | 'parent'
  | 'description'
  | 'contents_raw'
  | 'image'
  | 'flags'
  | 'table_of_contents'
>;

const wikiRules: FieldRules<WikiContent> = {
  title: 'value',
  display_title: 'value',
  parent: 'value',
  description: 'text',
  contents_raw: 'text',
  image: 'value',
  table_of_contents: 'value',
};

export type WikiMerge = { merged: WikiContent; conflicts: MergeConflict[]; merges: AutomaticMerge[] };

/** Merges two edits of a wiki (rules M90–M92). */
export function mergeWiki(base: WikiContent, mine: WikiContent, theirs: WikiContent): WikiMerge {
  const log: MergeLog = { conflicts: [], merges: [] };
  const fields = mergeFields(wikiRules, { base, mine, theirs }, {}, log);
  const flagsOf = ({ flags }: WikiContent): Map<string, string> => new Map(flags.map((flag) => [flag, flag]));
  const flags = mergeKeyed(
    { base: flagsOf(base), mine: flagsOf(mine), theirs: flagsOf(theirs) },
    {
      placeOf: (element): Place => ({ list: 'flags', element }),
      merge: (flag) => flag,
      isEdited: () => false,
    },
    log,
  );
  return { merged: { ...fields, flags }, ...log };
}

/** The wiki after a person's choice (rules M60–M63). */
export function resolveWikiConflict(
  content: WikiContent,
  conflict: MergeConflict,
  choice: Choice,
): WikiContent {
  return resolveAt(content, conflict, choice, {
    valueAt: (record, { field }) => asJson(new Map<string, unknown>(Object.entries(record)).get(field ?? '')),
    withValueAt: (record, { field }, value: Json) =>
      field === undefined ? record : { ...record, [field]: value },
  });
}
