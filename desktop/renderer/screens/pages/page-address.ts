import type { WikiNamespace } from '#shared/model/wiki.ts';

/** Kinds of pages that have a list; pages of people and teams are found with them. */
export const listedKinds = ['INFO', 'WIKI', 'ITEM', 'CATEGORY'] as const satisfies WikiNamespace[];
export type ListedKind = (typeof listedKinds)[number];

/** The kind that an address names; information where it names none. */
export function kindOf(name: string | null): ListedKind {
  return listedKinds.find((kind) => kind === name) ?? 'INFO';
}

export function pageAddress(wikiid: string): string {
  return `/pages/${encodeURIComponent(wikiid)}`;
}
