import { BookOpen } from 'lucide-react';

import type { GuideSummaryCard } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { WholeLink, wholeLinkPlace } from '#desktop/renderer/ui/whole-link.tsx';

import { useCategoryName } from './category-name.ts';
import { guideHref } from './guide-address.ts';
import { GuideMarks } from './guide-facts.tsx';
import { ReadinessBadge, type UsualReadiness } from './readiness-badge.tsx';
import styles from './tiles.module.css';

/** Guides as small tiles: those that the person knows already. */
export function GuideTiles({
  guides,
  usual,
}: {
  guides: readonly GuideSummaryCard[];
  usual: UsualReadiness;
}) {
  const nameOf = useCategoryName();
  return (
    <ul className={classNames(styles, 'tiles')}>
      {guides.map((guide) => (
        <li key={guide.guideid} className={`${classNames(styles, 'tile')} ${wholeLinkPlace}`}>
          <span className={classNames(styles, 'picture')}>
            {guide.imageGuid === null ? (
              <BookOpen aria-hidden="true" />
            ) : (
              <Picture guid={guide.imageGuid} size="thumbnail" alt="" fit="cover" />
            )}
          </span>
          <div className={classNames(styles, 'words')}>
            <b>
              <WholeLink href={guideHref(guide.guideid)}>
                {guide.title === '' ? text.library.unnamed : guide.title}
              </WholeLink>
            </b>
            <span className={classNames(styles, 'count')}>{nameOf(guide.category)}</span>
            {guide.readiness.state !== usual && <ReadinessBadge readiness={guide.readiness} />}
            <GuideMarks guide={guide} />
          </div>
        </li>
      ))}
    </ul>
  );
}
