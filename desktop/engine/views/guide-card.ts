import { compareTitles } from '../platform/title-order.ts';
import type { GuideRow } from '../platform/ports.ts';
import type { SearchHit } from '../features/records/guide-index.ts';
import type { GuideSummaryCard } from '../api/records.ts';

/** The part of a guide's card that depends on its row alone, and not on the person and the device. */
export function cardFacts({
  id,
  title,
  category,
  type,
  summary,
  difficulty,
  timeRequired,
  steps,
  imageGuid,
  public: isPublic,
}: GuideRow) {
  return {
    guideid: id,
    title,
    category,
    type,
    summary,
    difficulty,
    timeRequired,
    steps,
    imageGuid: imageGuid === '' ? null : imageGuid,
    public: isPublic,
    snippet: null,
  } satisfies Partial<GuideSummaryCard>;
}

/** The cards of search results, in the order of `hits`, with their excerpts. */
export function foundCards<C extends GuideSummaryCard>(
  cards: readonly C[],
  hits: readonly SearchHit[],
): (C & Pick<SearchHit, 'snippet'>)[] {
  const byId = new Map(cards.map((card) => [card.guideid, card]));
  return hits.flatMap(({ id, snippet }) => {
    const card = byId.get(id);
    return card === undefined ? [] : [{ ...card, snippet }];
  });
}

/** Compares cards by title, with numbers by value; cards with equal titles by id. */
export function compareCards(a: GuideSummaryCard, b: GuideSummaryCard): number {
  return compareTitles({ title: a.title, id: a.guideid }, { title: b.title, id: b.guideid });
}
