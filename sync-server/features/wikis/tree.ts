import type { CategoryObjects, Hierarchy, OrderedCategory } from '#shared/model/wiki-record.ts';
import { shownTitle } from '#shared/rules/wiki-record.ts';

/** The part of a category that the tree needs. */
export interface CategoryNode {
  title: string;
  display_title: string;
  /** Language of `display_title`. */
  langid: string;
  parent: string | null;
  isStub: boolean;
}

/** A category with the categories below it, ordered by title. */
export interface CategoryBranch {
  title: string;
  displayTitle: string;
  langid: string;
  children: CategoryBranch[];
}

/** Filter for the categories of a tree. */
interface TreeFilter {
  requireGuides: boolean;
  includeStubs: boolean;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Items sorted by title. */
export function byTitle<T extends { title: string }>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => collator.compare(a.title, b.title) || (a.title < b.title ? -1 : 1));
}

/**
 * The tree of categories. A category that the filter excludes stays if a category below it stays. A category with a
 * missing parent is at the top level. A cycle of parents is cut at its first category by title.
 */
export function categoryTree(
  categories: readonly CategoryNode[],
  published: ReadonlySet<string>,
  filter: TreeFilter,
): CategoryBranch[] {
  const titles = new Set(categories.map((one) => one.title));
  const sorted = byTitle(categories);
  const children = Map.groupBy(sorted, ({ parent }) =>
    parent !== null && titles.has(parent) ? parent : null,
  );
  const placed = new Set<string>();
  const branchOf = (node: CategoryNode): CategoryBranch[] => {
    if (placed.has(node.title)) return [];
    placed.add(node.title);
    const below = (children.get(node.title) ?? []).flatMap(branchOf);
    const isKept =
      (filter.includeStubs || !node.isStub) && (!filter.requireGuides || published.has(node.title));
    if (!isKept && below.length === 0) return [];
    const { title, langid } = node;
    return [{ title, displayTitle: shownTitle(node), langid, children: below }];
  };
  return [...(children.get(null) ?? []), ...sorted].flatMap(branchOf);
}

/** Nested objects with null at the leaves. */
export function hierarchyOf(branches: CategoryBranch[]): Hierarchy {
  return Object.fromEntries(
    branches.map((branch) => [
      branch.title,
      branch.children.length === 0 ? null : hierarchyOf(branch.children),
    ]),
  );
}

/** Nested objects with `{}` at the leaves. */
export function objectsOf(branches: CategoryBranch[]): CategoryObjects {
  return Object.fromEntries(branches.map((branch) => [branch.title, objectsOf(branch.children)]));
}

/** The tree as lists. */
export function orderedOf(branches: CategoryBranch[]): OrderedCategory[] {
  return branches.map(({ title, displayTitle, children }) => ({
    title,
    display_title: displayTitle,
    ...(children.length === 0 ? {} : { children: orderedOf(children) }),
  }));
}

/** The tree with other display titles, given by title. */
export function withDisplayTitles(
  branches: CategoryBranch[],
  titles: ReadonlyMap<string, string>,
): CategoryBranch[] {
  return branches.map((branch) => ({
    ...branch,
    displayTitle: titles.get(branch.title) ?? branch.displayTitle,
    children: withDisplayTitles(branch.children, titles),
  }));
}

/** Every category of the tree, parents before children. */
export function allBranches(branches: CategoryBranch[]): CategoryBranch[] {
  return branches.flatMap((branch) => [branch, ...allBranches(branch.children)]);
}

/** The display titles of the tree, by title. */
export function displayTitlesOf(branches: CategoryBranch[]): Record<string, string> {
  return Object.fromEntries(allBranches(branches).map(({ title, displayTitle }) => [title, displayTitle]));
}

/** Titles of the categories without children. */
export function leavesOf(branches: CategoryBranch[]): string[] {
  return allBranches(branches)
    .filter(({ children }) => children.length === 0)
    .map(({ title }) => title);
}
