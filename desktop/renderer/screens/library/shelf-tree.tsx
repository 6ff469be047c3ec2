import { ChevronDown, ChevronRight, CloudDownload, FolderTree, PencilLine, Star } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link, ToggleButton } from 'react-aria-components';
import { useLocation } from 'wouter';

import type { CategoryNode } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatNumber } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { useLive, useLiveSoon } from '#desktop/renderer/use-live.ts';

import { useCategoryName } from './category-name.ts';
import { useFilters, withFilters } from './filters.ts';
import { isSameShelf, shelfHref, shelfTitle, type Shelf } from './shelf.ts';
import styles from './shelf-tree.module.css';

/** The categories with their numbers of guides, and the person's own shelves. */
export function ShelfTree({ shelf }: { shelf: Shelf }) {
  const tree = useLive('categoryTree');
  const all = useLiveSoon('library', { category: null });
  const favorites = useLiveSoon('library', { category: null, only: ['favorites'] });
  const drafts = useLiveSoon('library', { category: null, only: ['drafts'] });
  const listed = tree.filter((node) => isListed(node, shelf));
  const isSmall = rowsOf(listed) <= fewRows;
  const own: { shelf: Shelf; count: number | undefined; icon: ReactNode }[] = [
    { shelf: { kind: 'favorites' }, count: favorites?.total, icon: <Star aria-hidden="true" /> },
    {
      shelf: { kind: 'ready-offline' },
      count: all?.readyOffline,
      icon: <CloudDownload aria-hidden="true" />,
    },
    { shelf: { kind: 'drafts' }, count: drafts?.total, icon: <PencilLine aria-hidden="true" /> },
  ];
  return (
    <nav className={classNames(styles, 'tree')} aria-label={text.library.categories}>
      <ul>
        <ShelfEntry shelf={{ kind: 'all' }} here={shelf} count={all?.total} />
        {listed.map((node) => (
          <CategoryEntry key={node.title} node={node} here={shelf} level={0} isSmall={isSmall} />
        ))}
      </ul>
      <ul>
        {own.map((entry) => (
          <ShelfEntry key={entry.shelf.kind} {...entry} here={shelf} />
        ))}
      </ul>
    </nav>
  );
}

/** Up to this number of rows the branches of the first level are open. */
const fewRows = 24;

/**
 * A category and those below it. Those without guides are left out. A branch is open if it contains the current category,
 * and in a small tree on the first level, until the person opens or closes it.
 */
function CategoryEntry({ node, here, level, isSmall }: CategoryEntryProps) {
  const holdsHere = here.kind === 'category' && holds(node, here.category);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? (holdsHere || (level === 0 && isSmall));
  const below = node.children.filter((child) => isListed(child, here));
  return (
    <>
      <ShelfEntry
        shelf={{ kind: 'category', category: node.title }}
        name={node.displayTitle}
        here={here}
        count={node.guides}
        level={level}
        fold={
          below.length > 0 && (
            <ToggleButton
              className={classNames(styles, 'fold-branch')}
              aria-label={text.library.showBelow(node.displayTitle)}
              isSelected={isOpen}
              onChange={setChosen}
            >
              <ChevronRight aria-hidden="true" />
            </ToggleButton>
          )
        }
      />
      {isOpen &&
        below.map((child) => (
          <CategoryEntry key={child.title} node={child} here={here} level={level + 1} isSmall={isSmall} />
        ))}
    </>
  );
}

interface CategoryEntryProps {
  node: CategoryNode;
  here: Shelf;
  level: number;
  /** Whether the whole tree is small. */
  isSmall: boolean;
}

/** Whether a category has guides, or is the current one. */
function isListed(node: CategoryNode, here: Shelf): boolean {
  return node.guides > 0 || (here.kind === 'category' && holds(node, here.category));
}

function holds(node: CategoryNode, category: string): boolean {
  return node.title === category || node.children.some((child) => holds(child, category));
}

/** The category of the tree with this title. */
export function nodeIn(nodes: readonly CategoryNode[], title: string): CategoryNode | null {
  for (const node of nodes) {
    const found = node.title === title ? node : nodeIn(node.children, title);
    if (found !== null) return found;
  }
  return null;
}

/** Number of rows of the first two levels. */
function rowsOf(nodes: readonly CategoryNode[]): number {
  return nodes.reduce((sum, { children }) => sum + 1 + children.length, 0);
}

interface ShelfEntryProps {
  shelf: Shelf;
  name?: string;
  here: Shelf;
  /** Undefined while counting. */
  count: number | undefined;
  level?: number;
  icon?: ReactNode;
  /** The button that opens and closes what is below. */
  fold?: ReactNode;
}

function ShelfEntry({ shelf, name, here, count, level = 0, icon, fold }: ShelfEntryProps) {
  const isHere = isSameShelf(shelf, here);
  const nameOf = useCategoryName();
  const [filters] = useFilters();
  return (
    <li className={classNames(styles, 'row')}>
      <Link
        className={classNames(styles, 'entry', `level-${Math.min(level, 3)}`, isHere && 'here')}
        href={withFilters(shelfHref(shelf), filters)}
        {...(isHere && { 'aria-current': 'page' as const })}
      >
        {icon}
        <span className={classNames(styles, 'name')}>{name ?? shelfTitle(shelf, nameOf)}</span>
        <span className={classNames(styles, 'count')}>{count !== undefined && formatNumber(count)}</span>
      </Link>
      {fold}
    </li>
  );
}

/** On narrow windows a button above the title opens the tree. */
export function ShelfFold({ shelf }: { shelf: Shelf }) {
  const [path] = useLocation();
  const [openAt, setOpenAt] = useState<string | null>(null);
  return (
    <div className={classNames(styles, 'fold')}>
      <Button
        icon={<FolderTree aria-hidden="true" />}
        iconEnd={<ChevronDown aria-hidden="true" />}
        onPress={() => setOpenAt(path)}
      >
        {text.library.openCategories}
      </Button>
      <Dialog
        title={text.library.categories}
        isOpen={openAt === path}
        onClose={() => setOpenAt(null)}
        closeLabel={text.app.close}
      >
        <ShelfTree shelf={shelf} />
      </Dialog>
    </div>
  );
}
