import type { GuideRow } from '../platform/ports.ts';
import type { SearchHit } from '../features/records/guide-index.ts';
import type { GuideSummaryCard } from '../api/records.ts';

/** What a card of a guide takes from its row; the rest depends on the person and the device. */
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

/** The cards that a search found, in the order of `hits`, each with where it was found. */
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

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** The order of cards by title, numbers by their value; those of one title by id. */
export function compareCards(a: GuideSummaryCard, b: GuideSummaryCard): number {
  return collator.compare(a.title, b.title) || collator.compare(a.guideid, b.guideid);
}
