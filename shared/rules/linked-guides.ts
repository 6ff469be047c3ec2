/** Options of a `[guidelist|…]`. */
export type ListOptions = Readonly<Record<string, string>>;

/** The ways in which texts refer to guides: by number, by exact title, by shared properties. */
export interface GuideNames {
  ids: number[];
  titles: string[];
  lists: ListOptions[];
}

/** Maximum number of lists that are looked up for one answer; each list is compared with every guide. */
const mostListsOfTexts = 100;

/** The guides that texts refer to, each once. Templates in the texts must already be filled in. */
export function guidesNamedIn(texts: readonly string[]): GuideNames {
  const ids = new Set<number>();
  const titles = new Set<string>();
  const lists = new Map<string, ListOptions>();
  for (const text of texts) {
    // Almost no text refers to guides, and this check takes a fraction of the time.
    if (!text.includes('[guide')) continue;
    for (const [, target = ''] of text.matchAll(/\[guide\|([^[\]|\n]+)/g)) {
      if (/^\s*\d{1,15}\s*$/.test(target)) ids.add(Number(target));
      else titles.add(target.trim());
    }
    for (const [, options = ''] of text.matchAll(/\[guidelist\|([^[\]\n]*)\]/g))
      if (lists.size < mostListsOfTexts) lists.set(options, optionsOf(options));
  }
  titles.delete('');
  return { ids: [...ids], titles: [...titles], lists: [...lists.values()] };
}

function optionsOf(text: string): ListOptions {
  return Object.fromEntries(
    text.split('|').flatMap((part) => {
      const [name = '', value] = part.split('=', 2);
      return value === undefined ? [] : [[name.trim().toLowerCase(), value.trim()] as const];
    }),
  );
}

/** A guide to which a text may link. `tags` undefined: not known here. */
export interface LinkableGuide {
  id: string | number;
  title: string;
  type: string;
  public: boolean;
  tags?: readonly string[];
}

/**
 * The guide that an exact title refers to, out of those that the reader may see: public guides first, then the newest.
 */
export function guideTitled<G extends LinkableGuide>(guides: Iterable<G>, title: string): G | null {
  let best: G | null = null;
  for (const guide of guides)
    if (guide.title === title && (best === null || isBefore(guide, best))) best = guide;
  return best;
}

function isBefore(one: LinkableGuide, other: LinkableGuide): boolean {
  return one.public === other.public ? Number(one.id) > Number(other.id) : one.public;
}

/** Maximum number of guides in a list. */
export const mostListed = 200;

/** The properties shared by the guides of a `[guidelist|tags=a,b|type=how-to]`. */
export interface ListCriteria {
  /** Tags that each guide must have, in lower case. */
  tags: string[];
  /** Types of which each guide must have one, reduced to letters: texts write `howto` for `how-to`. */
  types: string[];
}

/** The properties that a list requires; null when it names none. */
export function listCriteria({ tags = '', type = '' }: ListOptions): ListCriteria | null {
  const criteria = {
    tags: valuesOf(tags).map((tag) => tag.toLowerCase()),
    types: valuesOf(type).map(lettersOf),
  };
  return criteria.tags.length === 0 && criteria.types.length === 0 ? null : criteria;
}

function valuesOf(text: string): string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/** Whether a guide belongs to a list. */
export function isListed(
  { type, tags = [] }: Pick<LinkableGuide, 'type' | 'tags'>,
  criteria: ListCriteria,
): boolean {
  if (criteria.types.length > 0 && !criteria.types.includes(lettersOf(type))) return false;
  if (criteria.tags.length === 0) return true;
  const own = new Set(tags.map((tag) => tag.toLowerCase()));
  return criteria.tags.every((tag) => own.has(tag));
}

/** The guides of a list, sorted by title; null when the list requires nothing, or tags that are not known here. */
export function listedGuides<G extends LinkableGuide>(guides: Iterable<G>, options: ListOptions): G[] | null {
  const criteria = listCriteria(options);
  const all = [...guides];
  if (criteria === null || (criteria.tags.length > 0 && all.some(({ tags }) => tags === undefined)))
    return null;
  return all
    .filter((guide) => isListed(guide, criteria))
    .toSorted((a, b) => compare(a.title, b.title) || Number(a.id) - Number(b.id))
    .slice(0, mostListed);
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
