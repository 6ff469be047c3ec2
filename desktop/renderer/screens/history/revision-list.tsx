import { Button } from 'react-aria-components';

import type { GuideHistoryView, RevisionView } from '#desktop/engine/api/guide-history.ts';
import { historyText } from '#desktop/renderer/text/en/history.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import styles from './history-screen.module.css';

const words = historyText;

/** "Revision 7": as people count them. */
export function revisionName({ number }: RevisionView): string {
  return words.revision(number);
}

interface RevisionListProps {
  known: GuideHistoryView;
  revisions: readonly RevisionView[];
  older: RevisionView;
  newer: RevisionView;
  onChoose: (revision: RevisionView) => void;
}

/** All revisions, newest first. Pressing one compares it with the newer of the two that are shown. */
export function RevisionList({ known, revisions, older, newer, onChoose }: RevisionListProps) {
  return (
    <nav aria-label={words.list}>
      <ul className={classNames(styles, 'list')}>
        {revisions.map((one, index) => {
          const release = known.releases.find(({ number }) => number === one.number);
          const isShown = one === older || one === newer;
          return (
            <li key={one.guide_revisionid}>
              <Button
                className={classNames(
                  styles,
                  'entry',
                  one === newer && 'newer',
                  one === older && one !== newer && 'older',
                )}
                onPress={() => onChoose(one)}
                aria-pressed={isShown}
              >
                <span className={classNames(styles, 'name')}>{revisionName(one)}</span>
                <span className={classNames(styles, 'facts')}>
                  {words.by(one.author, formatDate(one.at))}
                </span>
                {index === 0 && <Badge>{words.present}</Badge>}
                {one.number !== null && known.approved.includes(one.number) && (
                  <Badge tone="ok">{words.approved}</Badge>
                )}
                {release !== undefined && <Badge>{words.released(release.title)}</Badge>}
              </Button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
