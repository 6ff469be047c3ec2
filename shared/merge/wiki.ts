import type { DocumentRef } from '#shared/model/guide.ts';
import type { NamedValue, Supplier, WikiFacts } from '#shared/model/wiki.ts';
import type { ContentPath } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import {
  type AutomaticMerge,
  type Choice,
  type Json,
  type MergeConflict,
  type MergeLog,
  asJson,
} from './conflict.ts';
import { type FieldRules, mergeFields, mergeKeyed } from './records.ts';
import { resolveAt } from './resolve.ts';

/** The fields of a wiki that people can edit. */
export type WikiContent = Pick<
  WikiFacts,
  | 'title'
  | 'display_title'
  | 'page_title'
  | 'parent'
  | 'description'
  | 'contents_raw'
  | 'image'
  | 'flags'
  | 'table_of_contents'
  | 'documents'
  | 'info'
  | 'suppliers'
  | 'repairability_score'
>;

const wikiRules: FieldRules<WikiContent> = {
  title: 'value',
  display_title: 'value',
  page_title: 'value',
  parent: 'value',
  description: 'text',
  contents_raw: 'text',
  image: 'value',
  table_of_contents: 'value',
  repairability_score: 'value',
};

export type WikiMerge = { merged: WikiContent; conflicts: MergeConflict[]; merges: AutomaticMerge[] };

const infoRules: FieldRules<NamedValue> = { value: 'value' };
const supplierRules: FieldRules<Supplier> = { type: 'value', url: 'value' };

/** The identity of the elements of each list. */
const keyOf = {
  flags: (flag: string) => flag,
  documents: ({ guid }: DocumentRef) => guid,
  info: ({ name }: NamedValue) => name,
  suppliers: ({ supplier, 'part_#': part }: Supplier) => `${supplier} ${part}`,
};

/** Merges two edits of a wiki (rules MERGE-90–MERGE-93). */
export function mergeWiki(base: WikiContent, mine: WikiContent, theirs: WikiContent): WikiMerge {
  const log: MergeLog = { conflicts: [], merges: [] };
  const merged = mergeFields(wikiRules, { base, mine, theirs }, {}, log);
  const sides = { base, mine, theirs };
  const lists: Partial<WikiContent> = {
    documents: mergeMembers('documents', keyOf.documents, listsOf(sides, 'documents'), log),
    info: mergeElements('info', keyOf.info, infoRules, { name: '', value: '' }, listsOf(sides, 'info'), log),
    suppliers: mergeElements(
      'suppliers',
      keyOf.suppliers,
      supplierRules,
      { 'part_#': '', type: '', supplier: '', url: '' },
      listsOf(sides, 'suppliers'),
      log,
    ),
  };
  // A list that no version has stays absent: pages of other kinds do not have it.
  const known = Object.fromEntries(
    Object.entries(lists).filter(([name]) => [base, mine, theirs].some((side) => name in side)),
  );
  const flags = mergeMembers('flags', keyOf.flags, listsOf(sides, 'flags'), log);
  return { merged: { ...merged, ...known, flags }, ...log };
}

type Sides<T> = { base: T; mine: T; theirs: T };
type ListName = keyof typeof keyOf;

function listsOf<L extends ListName>(
  { base, mine, theirs }: Sides<WikiContent>,
  list: L,
): Sides<NonNullable<WikiContent[L]>> {
  const of = (side: WikiContent) => (side[list] ?? []) as NonNullable<WikiContent[L]>;
  return { base: of(base), mine: of(mine), theirs: of(theirs) };
}

function keyed<T>(list: readonly T[], key: (element: T) => string): Map<string, T> {
  return new Map(list.map((element) => [key(element), element]));
}

/** Merges a list whose elements can only be added and removed. */
function mergeMembers<T>(list: ListName, key: (element: T) => string, sides: Sides<T[]>, log: MergeLog): T[] {
  return mergeKeyed(
    { base: keyed(sides.base, key), mine: keyed(sides.mine, key), theirs: keyed(sides.theirs, key) },
    {
      placeOf: (element): ContentPath => ({ list, element }),
      merge: (_key, _base, _mine, own) => own,
      isEdited: () => false,
    },
    log,
  );
}

/** Merges a list whose elements can be edited. `blank`: the base of an element that both sides added. */
function mergeElements<T extends object>(
  list: ListName,
  key: (element: T) => string,
  rules: FieldRules<T>,
  blank: T,
  sides: Sides<T[]>,
  log: MergeLog,
): T[] {
  const placeOf = (element: string): ContentPath => ({ list, element });
  return mergeKeyed(
    { base: keyed(sides.base, key), mine: keyed(sides.mine, key), theirs: keyed(sides.theirs, key) },
    {
      placeOf,
      merge: (element, old, left, right) =>
        mergeFields(rules, { base: old ?? blank, mine: left, theirs: right }, placeOf(element), log),
      isEdited: (old, side) => !sameValue(old, side),
    },
    log,
  );
}

/** The wiki after a person's choice (rules MERGE-60–MERGE-63). */
export function resolveWikiConflict(
  content: WikiContent,
  conflict: MergeConflict,
  choice: Choice,
): WikiContent {
  return resolveAt(content, conflict, choice, {
    valueAt: (record, place) =>
      place.list === undefined
        ? asJson(fieldOf(record, place.field))
        : valueInList(elementsOf(record, place.list), place),
    withValueAt: (record, place, value: Json) =>
      place.list === undefined
        ? withField(record, place.field, value)
        : { ...record, [place.list]: withValueInList(elementsOf(record, place.list), place, value) },
  });
}

function fieldOf(record: object, field: string | undefined): unknown {
  return new Map<string, unknown>(Object.entries(record)).get(field ?? '');
}

function withField<T extends object>(record: T, field: string | undefined, value: Json): T {
  return field === undefined ? record : { ...record, [field]: value };
}

function elementsOf(content: WikiContent, list: string): Map<string, object | string> {
  switch (list) {
    case 'documents':
      return keyed(content.documents ?? [], keyOf.documents);
    case 'info':
      return keyed(content.info ?? [], keyOf.info);
    case 'suppliers':
      return keyed(content.suppliers ?? [], keyOf.suppliers);
    default:
      return keyed(content.flags, keyOf.flags);
  }
}

function valueInList(
  elements: Map<string, object | string>,
  { element, field }: ContentPath,
): Json | undefined {
  const found = elements.get(element ?? '');
  if (found === undefined) return undefined;
  return asJson(field === undefined || typeof found === 'string' ? found : fieldOf(found, field));
}

function withValueInList(
  elements: Map<string, object | string>,
  { element = '', field }: ContentPath,
  value: Json,
): unknown[] {
  const found = elements.get(element);
  if (field === undefined && value === null) elements.delete(element);
  else if (field === undefined || typeof found !== 'object') elements.set(element, value as object | string);
  else elements.set(element, withField(found, field, value));
  return [...elements.values()];
}
