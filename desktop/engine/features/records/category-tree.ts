import { type Observable, combineLatest, distinctUntilChanged, map } from 'rxjs';

import type { WikiFacts } from '#shared/model/wiki.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import { guideSaveOf } from '#desktop/engine/outbox/kinds/guides.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { applies } from './overlay/applies.ts';
import type { CategoryNode } from '#desktop/engine/api/records.ts';
import type { Sources } from './sources.ts';

/** A category and its parent. */
export interface CategoryEdge {
  title: string;
  displayTitle: string;
  parent: string | null;
}

/** The categories among wiki pages, with their shown titles. */
export function categoryEdges(wikis: readonly WikiFacts[]): CategoryEdge[] {
  return wikis
    .filter(({ namespace }) => namespace === 'CATEGORY')
    .map(({ title, display_title, parent }) => ({
      title,
      displayTitle: display_title === '' ? title : display_title,
      parent,
    }));
}

/** The category and everything below it. */
export function subtreeOf(title: string, edges: readonly CategoryEdge[]): Set<string> {
  const children = Map.groupBy(edges, ({ parent }) => parent);
  const result = new Set<string>();
  const open = [title];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (result.has(one)) continue;
    result.add(one);
    open.push(...(children.get(one) ?? []).map((edge) => edge.title));
  }
  return result;
}

/** The names of each category and of those above it, a line for each: the words that find its guides (FIND-3). */
export function categoryWords(edges: readonly CategoryEdge[]): Map<string, string> {
  const byTitle = new Map(edges.map((edge) => [edge.title, edge]));
  return new Map(
    edges.map(({ title }) => {
      const names = new Set<string>();
      const seen = new Set<string>();
      for (let at = byTitle.get(title); at !== undefined && !seen.has(at.title);) {
        seen.add(at.title);
        names.add(at.displayTitle).add(at.title);
        at = at.parent === null ? undefined : byTitle.get(at.parent);
      }
      return [title, [...names].join('\n')];
    }),
  );
}

/** The categories of the wiki pages; emits when one of them changes. */
export function categoryEdgesIn({ core }: Sources): Observable<CategoryEdge[]> {
  return core.mirror.all('wikis').pipe(
    map((records) => categoryEdges(records.map(({ facts }) => facts))),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

/** The category tree with the number of guides in each subtree. */
export function categoryTree(sources: Sources): Observable<CategoryNode[]> {
  const edges = categoryEdgesIn(sources);
  const counts = combineLatest([sources.rows, sources.calls]).pipe(
    map(([rows, calls]) => countsOf(rows, calls, sources)),
    distinctUntilChanged((a, b) => sameValue([...a], [...b])),
  );
  return combineLatest([edges, counts]).pipe(map(([categories, guides]) => buildTree(categories, guides)));
}

/** Guides per category, waiting calls included. */
function countsOf(
  rows: readonly { id: string; seq: number; category: string }[],
  calls: readonly OutboxCall[],
  { resolve }: Sources,
): Map<string, number> {
  const categories = new Map(rows.map(({ id, category }) => [id, category]));
  const seqs = new Map(rows.map(({ id, seq }) => [id, seq]));
  for (const call of calls) {
    const id = resolve(call.target.id);
    if (call.target.collection !== 'guides' || !applies(call, seqs.get(id) ?? null)) continue;
    const content = guideSaveOf(call)?.content;
    if (content !== undefined && (categories.has(id) || call.kind === 'guide-create'))
      categories.set(id, content.category);
    if (call.kind === 'guide-delete') categories.delete(id);
  }
  const counts = new Map<string, number>();
  for (const category of categories.values()) counts.set(category, (counts.get(category) ?? 0) + 1);
  return counts;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/**
 * The tree of categories, children sorted by title. `guides`: number of guides by category. Categories with an unknown
 * parent are at the top, and so are those that have guides but no page. A cycle is broken at its first category by
 * title.
 */
export function buildTree(
  edges: readonly CategoryEdge[],
  guides: ReadonlyMap<string, number>,
): CategoryNode[] {
  const known = new Set(edges.map(({ title }) => title));
  const bare = [...guides.keys()]
    .filter((title) => title !== '' && !known.has(title))
    .map((title): CategoryEdge => ({ title, displayTitle: title, parent: null }));
  const all = [...edges, ...bare].toSorted((a, b) => collator.compare(a.displayTitle, b.displayTitle));
  const children = Map.groupBy(all, ({ parent }) => (parent === null || !known.has(parent) ? null : parent));
  const placed = new Set<string>();
  const build = (edge: CategoryEdge): CategoryNode[] => {
    if (placed.has(edge.title)) return [];
    placed.add(edge.title);
    const below = (children.get(edge.title) ?? []).flatMap(build);
    const count = (guides.get(edge.title) ?? 0) + below.reduce((sum, node) => sum + node.guides, 0);
    return [{ title: edge.title, displayTitle: edge.displayTitle, guides: count, children: below }];
  };
  return [...(children.get(null) ?? []).flatMap(build), ...all.flatMap(build)];
}
