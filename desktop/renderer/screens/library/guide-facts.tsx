import type { GuideSummaryCard } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { difficultyName, formatEstimate } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { difficulties } from '#shared/model/guide.ts';

import styles from './guide-facts.module.css';

/** Difficulty, time and length of a guide, in one line. */
export function GuideFacts({ guide }: { guide: GuideSummaryCard }) {
  const time = formatEstimate(guide.timeRequired);
  return (
    <div className={classNames(styles, 'facts')}>
      <DifficultyDots difficulty={guide.difficulty} />
      {time !== '' && <span>{time}</span>}
      <span>{text.library.steps(guide.steps)}</span>
    </div>
  );
}

/** Badges for unusual states: not published, not on the server yet, or (in an archive) also in the library. */
export function GuideMarks({ guide }: { guide: GuideSummaryCard }) {
  const isTwin = guide.same !== undefined && guide.same !== null;
  if (guide.public && !guide.pending && !isTwin) return null;
  return (
    <div className={classNames(styles, 'marks')}>
      {!guide.public && <Badge>{text.library.private}</Badge>}
      {isTwin && <Badge tone="accent">{text.archives.inLibrary}</Badge>}
      {guide.pending && <Badge tone="warn">{text.library.notOnServer}</Badge>}
    </div>
  );
}

/** One to five dots with a text alternative; nothing for a guide without a difficulty. */
export function DifficultyDots({ difficulty }: { difficulty: string }) {
  const level = difficulties.findIndex((name) => name === difficulty) + 1;
  if (level === 0) return null;
  return (
    <span
      className={classNames(styles, 'dots')}
      role="img"
      aria-label={text.difficulties.label(difficultyName(difficulty))}
      title={difficultyName(difficulty)}
    >
      {difficulties.map((name, index) => (
        <span key={name} className={classNames(styles, 'dot', index < level && 'on')} />
      ))}
    </span>
  );
}
