import { ChevronDown, FolderTree } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';

import type { ArchivePage } from '#desktop/engine/api/archive-records.ts';
import type { CategoryNode } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatNumber } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';

import tree from '../library/shelf-tree.module.css';

interface ArchiveTreeProps {
  page: ArchivePage;
  /** The shown category; null: all guides. */
  here: string | null;
}

/** The categories of an archive with the number of guides in each. */
export function ArchiveTree({ page: { archive, categories }, here }: ArchiveTreeProps) {
  const root = `/archives/${archive.archiveid}`;
  return (
    <nav className={classNames(tree, 'tree')} aria-label={text.archives.categories}>
      <ul>
        <Entry href={root} name={text.archives.all} count={archive.guides} isHere={here === null} level={0} />
        {categories.map((node) => (
          <Branch key={node.title} node={node} root={root} here={here} level={0} />
        ))}
      </ul>
    </nav>
  );
}

function Branch({
  node,
  root,
  here,
  level,
}: {
  node: CategoryNode;
  root: string;
  here: string | null;
  level: number;
}) {
  return (
    <>
      <Entry
        href={`${root}?category=${encodeURIComponent(node.title)}`}
        name={node.displayTitle}
        count={node.guides}
        isHere={here === node.title}
        level={level}
      />
      {node.children.map((child) => (
        <Branch key={child.title} node={child} root={root} here={here} level={level + 1} />
      ))}
    </>
  );
}

interface EntryProps {
  href: string;
  name: string;
  count: number;
  isHere: boolean;
  level: number;
}

function Entry({ href, name, count, isHere, level }: EntryProps) {
  return (
    <li>
      <Link
        className={classNames(tree, 'entry', `level-${Math.min(level, 3)}`, isHere && 'here')}
        href={href}
        {...(isHere && { 'aria-current': 'page' as const })}
      >
        <span className={classNames(tree, 'name')}>{name}</span>
        <span className={classNames(tree, 'count')}>{formatNumber(count)}</span>
      </Link>
    </li>
  );
}

/** On narrow windows a button above the title opens the tree. */
export function ArchiveFold({ page, here }: ArchiveTreeProps) {
  // Choosing a category changes `here`, which closes the dialog.
  const [openAt, setOpenAt] = useState<string | null | undefined>(undefined);
  return (
    <div className={classNames(tree, 'fold')}>
      <Button
        icon={<FolderTree aria-hidden="true" />}
        iconEnd={<ChevronDown aria-hidden="true" />}
        onPress={() => setOpenAt(here)}
      >
        {text.archives.openCategories}
      </Button>
      <Dialog
        title={text.archives.categories}
        isOpen={openAt === here}
        onClose={() => setOpenAt(undefined)}
        closeLabel={text.app.close}
      >
        <ArchiveTree page={page} here={here} />
      </Dialog>
    </div>
  );
}
