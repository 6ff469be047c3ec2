import { Folder } from 'lucide-react';

import type { CategoryNode, GuideSummaryCard } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { WholeLink, wholeLinkPlace } from '#desktop/renderer/ui/whole-link.tsx';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import styles from './tiles.module.css';
import { shelfHref } from './shelf.ts';

interface CategoryTilesProps {
  title: string;
  nodes: readonly CategoryNode[];
  /** A category without a picture of its own has that of one of these guides. */
  guides: readonly GuideSummaryCard[];
}

/** Categories that have guides, as tiles with pictures; renders nothing if there are fewer than two. */
export function CategoryTiles({ title, nodes, guides }: CategoryTilesProps) {
  const pages = useLiveSoon('pages', 'CATEGORY') ?? [];
  const shown = nodes.filter((node) => node.guides > 0);
  if (shown.length < 2) return null;
  const own = new Map(pages.map((page) => [page.title, page.imageGuid]));
  const ofGuide = new Map(guides.toReversed().map(({ category, imageGuid }) => [category, imageGuid]));
  return (
    <Section title={title}>
      <ul className={classNames(styles, 'tiles')}>
        {shown.map((node) => (
          <Tile key={node.title} node={node} imageGuid={pictureOf(node, own) ?? pictureOf(node, ofGuide)} />
        ))}
      </ul>
    </Section>
  );
}

/** The picture of a category or of the first one below it that has one. */
function pictureOf(node: CategoryNode, pictures: ReadonlyMap<string, string | null>): string | null {
  const own = pictures.get(node.title) ?? null;
  if (own !== null) return own;
  for (const child of node.children) {
    const found = pictureOf(child, pictures);
    if (found !== null) return found;
  }
  return null;
}

function Tile({ node, imageGuid }: { node: CategoryNode; imageGuid: string | null }) {
  return (
    <li className={`${classNames(styles, 'tile')} ${wholeLinkPlace}`}>
      <span className={classNames(styles, 'picture')}>
        {imageGuid === null ? (
          <Folder aria-hidden="true" />
        ) : (
          <Picture guid={imageGuid} size="thumbnail" alt="" fit="cover" />
        )}
      </span>
      <span className={classNames(styles, 'words')}>
        <b>
          <WholeLink href={shelfHref({ kind: 'category', category: node.title })}>
            {node.displayTitle}
          </WholeLink>
        </b>
        <span className={classNames(styles, 'count')}>{text.library.guides(node.guides)}</span>
      </span>
    </li>
  );
}
