import type { ReactNode } from 'react';

import type { GuideSummaryCard, LibraryPage } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { useLive, useLiveSoon } from '#desktop/renderer/use-live.ts';

import { CategoryTiles } from './category-tiles.tsx';
import { GuideCards } from './guide-cards.tsx';
import { GuideTiles } from './guide-tiles.tsx';
import { usualOf } from './readiness-badge.tsx';

/** How many favourites, and how many opened guides, are shown above the others: one row of a large window. */
const mostAbove = 4;
/** A smaller library is seen at a glance. */
const smallest = 9;

/**
 * All guides: favourites, guides that were opened recently, the categories, then the other guides. No guide is shown twice.
 *
 * - FIND-9 What a person is likely to look for stands first: the running work order, planned work, favourites, guides that
 *   were opened recently, categories with their pictures.
 */
export function LibraryHome({ page }: { page: LibraryPage }) {
  const tree = useLive('categoryTree');
  const recent = useLiveSoon('recentGuides') ?? [];
  const { guides } = page;
  const usual = usualOf(guides);
  if (guides.length < smallest) return <GuideCards guides={guides} usual={usual} />;
  const favorites = guides.filter(({ favorite }) => favorite).slice(0, mostAbove);
  const opened = recent
    .filter((guide) => isAmong(guides, guide) && !isAmong(favorites, guide))
    .slice(0, mostAbove);
  const above = new Set([...favorites, ...opened].map(({ guideid }) => guideid));
  const others = guides.filter(({ guideid }) => !above.has(guideid));
  const tiles = (title: string, shown: readonly GuideSummaryCard[]): ReactNode =>
    shown.length > 0 && (
      <Section title={title}>
        <GuideTiles guides={shown} usual={usual} />
      </Section>
    );
  return (
    <>
      {tiles(text.library.favorites, favorites)}
      {tiles(text.library.opened, opened)}
      <CategoryTiles title={text.library.categories} nodes={tree} guides={guides} />
      <Section title={text.library.otherGuides}>
        <GuideCards guides={others} usual={usual} />
      </Section>
    </>
  );
}

function isAmong(guides: readonly GuideSummaryCard[], { guideid }: GuideSummaryCard): boolean {
  return guides.some((one) => one.guideid === guideid);
}
