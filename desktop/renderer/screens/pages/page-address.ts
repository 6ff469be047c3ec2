import type { WikiNamespace } from '#shared/model/wiki.ts';

/** Kinds of pages that have a list. Pages of people and teams are reached from their profiles. */
export const listedKinds = ['INFO', 'WIKI', 'ITEM', 'CATEGORY'] as const satisfies WikiNamespace[];
export type ListedKind = (typeof listedKinds)[number];

/** The kind in an address; `INFO` if it names none. */
export function kindOf(name: string | null): ListedKind {
  return listedKinds.find((kind) => kind === name) ?? 'INFO';
}

/** An id is a number or `tmp:…`. The colon must not be escaped, because the router does not decode it. */
export function pageAddress(wikiid: string): string {
  return `/pages/${wikiid}`;
}
