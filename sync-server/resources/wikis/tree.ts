import type { CategoryObjects, Hierarchy, OrderedCategory } from '#shared/model/wiki-record.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import { isStub, shownTitle } from '#shared/rules/wiki-record.ts';

/** A category with those below it, in the order of titles. */
export interface CategoryBranch {
  title: string;
  displayTitle: string;
  children: CategoryBranch[];
}

/** Which categories a tree keeps. */
interface TreeFilter {
  requireGuides: boolean;
  includeStubs: boolean;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Facts in the order of their titles. */
export function byTitle<T extends { title: string }>(items: T[]): T[] {
  return items.toSorted((a, b) => collator.compare(a.title, b.title) || (a.title < b.title ? -1 : 1));
}

/**
 * The tree of categories. A category that the filter leaves out stays while something below it stays. A parent that
 * does not exist puts a category at the top; a circle of parents is cut at its first category by title.
 */
export function categoryTree(
  categories: WikiFacts[],
  published: ReadonlySet<string>,
  filter: TreeFilter,
): CategoryBranch[] {
  const titles = new Set(categories.map((one) => one.title));
  const children = Map.groupBy(byTitle(categories), ({ parent }) =>
    parent !== null && titles.has(parent) ? parent : null,
  );
  const placed = new Set<string>();
  const branchOf = (facts: WikiFacts): CategoryBranch[] => {
    if (placed.has(facts.title)) return [];
    placed.add(facts.title);
    const below = (children.get(facts.title) ?? []).flatMap(branchOf);
    const isKept =
      (filter.includeStubs || !isStub(facts)) && (!filter.requireGuides || published.has(facts.title));
    if (!isKept && below.length === 0) return [];
    return [{ title: facts.title, displayTitle: shownTitle(facts), children: below }];
  };
  return [...(children.get(null) ?? []), ...byTitle(categories)].flatMap(branchOf);
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

/** Every title of the tree with the title to show. */
export function displayTitlesOf(branches: CategoryBranch[]): Record<string, string> {
  const entries = (branch: CategoryBranch): [string, string][] => [
    [branch.title, branch.displayTitle],
    ...branch.children.flatMap(entries),
  ];
  return Object.fromEntries(branches.flatMap(entries));
}

/** Titles of the tree without anything below them. */
export function leavesOf(branches: CategoryBranch[]): string[] {
  return branches.flatMap(({ title, children }) => (children.length === 0 ? [title] : leavesOf(children)));
}
