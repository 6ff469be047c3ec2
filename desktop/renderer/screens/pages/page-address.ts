import type { WikiNamespace } from '#shared/model/wiki.ts';

/** Kinds of pages that have a list; pages of people and teams are found with them. */
export const listedKinds = ['INFO', 'WIKI', 'ITEM', 'CATEGORY'] as const satisfies WikiNamespace[];
export type ListedKind = (typeof listedKinds)[number];

/** The kind that an address names; information where it names none. */
export function kindOf(name: string | null): ListedKind {
  return listedKinds.find((kind) => kind === name) ?? 'INFO';
}

/** An id is a number or `tmp:…`. The router leaves an escaped colon as it is, so that it must stand as itself. */
export function pageAddress(wikiid: string): string {
  return `/pages/${wikiid}`;
}
