import { BookOpen, Star } from 'lucide-react';

import type { GuideSummaryCard } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconToggle } from '#desktop/renderer/ui/icon-button.tsx';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { WholeLink, wholeLinkPlace } from '#desktop/renderer/ui/whole-link.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { archivedGuide } from '#desktop/engine/features/archives/ids.ts';
import { isTemporaryId } from '#shared/rules/guide-content.ts';

import styles from './guide-cards.module.css';
import { guideHref } from './guide-address.ts';
import { GuideFacts, GuideMarks } from './guide-facts.tsx';
import { ReadinessBadge, usualOf, type UsualReadiness } from './readiness-badge.tsx';
import { useGrowingList } from './use-growing-list.ts';

interface GuideCardsProps {
  guides: readonly GuideSummaryCard[];
  /** The readiness that needs no badge, if other guides decide about it; otherwise that of most of these guides. */
  usual?: UsualReadiness;
}

/** Guides as cards: picture, title and key facts. */
export function GuideCards({ guides, usual = usualOf(guides) }: GuideCardsProps) {
  const { shown, end } = useGrowingList(guides);
  return (
    <>
      <ul className={classNames(styles, 'cards')}>
        {shown.map((guide) => (
          <GuideCard key={guide.guideid} guide={guide} usual={usual} />
        ))}
      </ul>
      <div ref={end} />
    </>
  );
}

function GuideCard({ guide, usual }: { guide: GuideSummaryCard; usual: UsualReadiness }) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const isArchived = archivedGuide(guide.guideid) !== null;
  return (
    <li className={`${classNames(styles, 'card')} ${wholeLinkPlace}`}>
      <div className={classNames(styles, 'picture')}>
        {guide.imageGuid === null ? (
          <span className={classNames(styles, 'blank')}>
            <BookOpen aria-hidden="true" />
          </span>
        ) : (
          <Picture guid={guide.imageGuid} size="medium" alt="" fit="cover" />
        )}
        {!isArchived && guide.readiness.state !== usual && (
          <span className={classNames(styles, 'badge')}>
            <ReadinessBadge readiness={guide.readiness} look="floating" />
          </span>
        )}
      </div>
      <div className={classNames(styles, 'words')}>
        <h2 className={classNames(styles, 'title')}>
          <WholeLink href={guideHref(guide.guideid)}>
            {guide.title === '' ? text.library.unnamed : guide.title}
          </WholeLink>
        </h2>
        <GuideFacts guide={guide} />
        <GuideMarks guide={guide} />
      </div>
      {!isArchived && !isTemporaryId(guide.guideid) && (
        <div className={classNames(styles, 'star')}>
          <IconToggle
            look="floating"
            label={text.library.favorite(guide.title)}
            icon={<Star />}
            isOn={guide.favorite}
            onChange={(on) => act(() => actions.favorite(guide.guideid, on))}
          />
        </div>
      )}
    </li>
  );
}
