import { Fragment, type ReactNode } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { historyText } from '#desktop/renderer/text/en/history.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { GuideLine } from '#desktop/renderer/ui/guide-line.tsx';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { plainLine, plainText } from '#shared/formats/wikitext/plain-text.ts';
import { bullet as bulletSchema } from '#shared/model/guide.ts';
import {
  isEqualVersion,
  isSameLine,
  type ComparedLine,
  type GuideDifference,
  type LineDifference,
  type PictureDifference,
  type StepDifference,
} from '#shared/rules/guide-difference.ts';
import { wordDifference } from '#shared/rules/word-difference.ts';

import styles from './difference.module.css';

const words = historyText;

interface DifferenceProps {
  /** Null: there is no earlier version. */
  difference: GuideDifference | null;
  /** The names of the two versions. */
  names?: { before: string; after: string };
}

/** The differences between two versions of a guide, side by side: by step, line, word and picture. */
export function Difference({
  difference,
  names = { before: words.before, after: words.after },
}: DifferenceProps) {
  if (difference === null) return <p>{text.approvals.firstVersion}</p>;
  if (isEqualVersion(difference)) return <p>{words.noChanges}</p>;
  const { parts, steps, forms } = difference;
  return (
    <div className={classNames(styles, 'difference')}>
      <div className={classNames(styles, 'row', 'names')} aria-hidden="true">
        <span>{names.before}</span>
        <span>{names.after}</span>
      </div>
      {parts.map(({ part, before, after }) => (
        <Card key={part} title={text.approvals.compared[part]}>
          {part === 'image' ? (
            <Sides
              before={before === '' ? null : <Pictures pictures={[{ guid: before, change: 'removed' }]} />}
              after={after === '' ? null : <Pictures pictures={[{ guid: after, change: 'added' }]} />}
            />
          ) : (
            <Words before={before} after={after} />
          )}
        </Card>
      ))}
      {steps.map((step) => (
        <Step key={`${step.number} ${step.after === null}`} step={step} />
      ))}
      {forms.map(({ number, before, after }) => (
        <Card key={`form ${number}`} title={text.approvals.changedForm(number)}>
          <Words before={before} after={after} />
        </Card>
      ))}
    </div>
  );
}

function stateOf({ before, after, movedFrom }: StepDifference): { tone: Tone; words: string } {
  if (before === null) return { tone: 'ok', words: words.added };
  if (after === null) return { tone: 'danger', words: words.removed };
  if (movedFrom !== null) return { tone: 'accent', words: words.movedFrom(movedFrom) };
  return { tone: 'neutral', words: words.changed };
}

function Step({ step }: { step: StepDifference }) {
  const { number, before, after, lines, pictures, hasOtherMedia } = step;
  const title = after ?? before ?? '';
  const state = stateOf(step);
  const isRenamed = before !== null && after !== null && before !== after;
  const changed = lines.some((line) => line.isMoved || !isSameLine(line));
  return (
    <Card
      title={words.step(number, title)}
      badge={<Badge tone={state.tone}>{state.words}</Badge>}
      isGone={after === null}
    >
      {isRenamed && <Words before={before} after={after} />}
      {pictures.some(({ change }) => change !== 'same') && (
        <Sides
          before={<Pictures pictures={pictures.filter(({ change }) => change !== 'added')} side="before" />}
          after={<Pictures pictures={pictures.filter(({ change }) => change !== 'removed')} side="after" />}
        />
      )}
      {hasOtherMedia && <p className={classNames(styles, 'note')}>{words.otherMedia}</p>}
      {changed &&
        lines.map((line, index) => (
          // Lines of two versions have no common id; their order is fixed.
          // oxlint-disable-next-line react/no-array-index-key
          <Line key={index} line={line} />
        ))}
    </Card>
  );
}

function Line({ line }: { line: LineDifference }) {
  const { before, after, isMoved } = line;
  const isSame = isSameLine(line) && !isMoved;
  const spans = wordDifference(...readable(before?.text_raw ?? '', after?.text_raw ?? '', plainLine));
  const side = (own: ComparedLine | null, is: 'before' | 'after') =>
    own === null ? null : (
      <GuideLine bullet={bulletSchema.catch('black').parse(own.bullet)} level={own.level} isMuted={isSame}>
        {spans
          .filter((span) => span.in === 'both' || span.in === is)
          .map((span, index) => (
            // Spans have no ids; their order is fixed.
            // oxlint-disable-next-line react/no-array-index-key
            <Fragment key={index}>
              {span.in === 'both' ? span.text : <Marked side={is}>{span.text}</Marked>}
            </Fragment>
          ))}
        {isMoved && is === 'after' && (
          <span className={classNames(styles, 'note')}>{` ${words.movedLine}`}</span>
        )}
      </GuideLine>
    );
  return <Sides isSame={isSame} before={side(before, 'before')} after={side(after, 'after')} />;
}

/**
 * Both texts for a comparison.
 *
 * - GUIDE-HISTORY-3 Texts are compared as they are read, and with their marks only if nothing else differs.
 */
function readable(before: string, after: string, plain: (raw: string) => string): [string, string] {
  const [was, is] = [plain(before), plain(after)];
  return before !== after && was === is ? [before, after] : [was, is];
}

/** A text in both versions, with the words that differ marked. */
function Words({ before, after }: { before: string | null; after: string | null }) {
  const spans = wordDifference(...readable(before ?? '', after ?? '', plainText));
  const side = (own: string | null, is: 'before' | 'after') =>
    own === null || own === '' ? null : (
      <span className={classNames(styles, 'text')}>
        {spans
          .filter((span) => span.in === 'both' || span.in === is)
          .map((span, index) => (
            // Spans have no ids; their order is fixed.
            // oxlint-disable-next-line react/no-array-index-key
            <Fragment key={index}>
              {span.in === 'both' ? span.text : <Marked side={is}>{span.text}</Marked>}
            </Fragment>
          ))}
      </span>
    );
  return <Sides before={side(before, 'before')} after={side(after, 'after')} />;
}

function Marked({ side, children }: { side: 'before' | 'after'; children: string }) {
  const className = classNames(styles, side === 'before' ? 'gone' : 'fresh');
  return side === 'before' ? (
    <del className={className}>{children}</del>
  ) : (
    <ins className={className}>{children}</ins>
  );
}

function Pictures({
  pictures,
  side = 'after',
}: {
  pictures: readonly PictureDifference[];
  side?: 'before' | 'after';
}) {
  return (
    <span className={classNames(styles, 'pictures')}>
      {pictures.map(({ guid, change }) => (
        <span key={guid} className={classNames(styles, 'picture', change)}>
          <Picture guid={guid} size="medium" alt={words.pictures[change]} fit="cover" />
          {(change === 'added' || change === 'removed' || (change === 'marked' && side === 'after')) && (
            <span className={classNames(styles, 'caption')}>{words.pictures[change]}</span>
          )}
        </span>
      ))}
    </span>
  );
}

interface SidesProps {
  before: ReactNode;
  after: ReactNode;
  /** Both are equal: on narrow windows one is enough. */
  isSame?: boolean;
}

/** Two columns; on narrow windows one below the other. */
function Sides({ before, after, isSame = false }: SidesProps) {
  return (
    <div className={classNames(styles, 'row')}>
      <div className={classNames(styles, 'side', (before === null || isSame) && 'none')}>{before}</div>
      <div className={classNames(styles, 'side', after === null && 'none')}>{after}</div>
    </div>
  );
}

interface CardProps {
  title: string;
  badge?: ReactNode;
  isGone?: boolean;
  children: ReactNode;
}

function Card({ title, badge, isGone = false, children }: CardProps) {
  return (
    <section className={classNames(styles, 'card')} aria-label={title}>
      <header className={classNames(styles, 'head')}>
        <h3>{isGone ? <del className={classNames(styles, 'gone')}>{title}</del> : title}</h3>
        {badge}
      </header>
      {children}
    </section>
  );
}
