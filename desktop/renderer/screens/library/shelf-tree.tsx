import { ChevronDown, CloudDownload, FolderTree, PencilLine, Star } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { useLocation } from 'wouter';

import type { CategoryNode } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatNumber } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { useLive, useLiveSoon } from '#desktop/renderer/use-live.ts';

import { isSameShelf, shelfHref, shelfTitle, type Shelf } from './shelf.ts';
import styles from './shelf-tree.module.css';

/** The categories with their numbers of guides, and the person's own shelves. */
export function ShelfTree({ shelf }: { shelf: Shelf }) {
  const tree = useLive('categoryTree');
  const all = useLiveSoon('library', { category: null });
  const favorites = useLiveSoon('library', { category: null, only: 'favorites' });
  const drafts = useLiveSoon('library', { category: null, only: 'drafts' });
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
        {tree.map((node) => (
          <CategoryEntry key={node.title} node={node} here={shelf} level={0} />
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

/** Below the first level a branch is open only if it contains the current category. */
function CategoryEntry({ node, here, level }: { node: CategoryNode; here: Shelf; level: number }) {
  const isOpen = level === 0 || (here.kind === 'category' && holds(node, here.category));
  return (
    <>
      <ShelfEntry
        shelf={{ kind: 'category', category: node.title }}
        name={node.displayTitle}
        here={here}
        count={node.guides}
        level={level}
      />
      {isOpen &&
        node.children.map((child) => (
          <CategoryEntry key={child.title} node={child} here={here} level={level + 1} />
        ))}
    </>
  );
}

function holds(node: CategoryNode, category: string): boolean {
  return node.title === category || node.children.some((child) => holds(child, category));
}

interface ShelfEntryProps {
  shelf: Shelf;
  name?: string;
  here: Shelf;
  /** Undefined while counting. */
  count: number | undefined;
  level?: number;
  icon?: ReactNode;
}

function ShelfEntry({ shelf, name, here, count, level = 0, icon }: ShelfEntryProps) {
  const isHere = isSameShelf(shelf, here);
  return (
    <li>
      <Link
        className={classNames(styles, 'entry', `level-${Math.min(level, 3)}`, isHere && 'here')}
        href={shelfHref(shelf)}
        {...(isHere && { 'aria-current': 'page' as const })}
      >
        {icon}
        <span className={classNames(styles, 'name')}>{name ?? shelfTitle(shelf)}</span>
        <span className={classNames(styles, 'count')}>{count !== undefined && formatNumber(count)}</span>
      </Link>
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
