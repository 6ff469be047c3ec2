import { useId } from 'react';
import { Radio, RadioGroup } from 'react-aria-components';

import type { GuideConflicts, GuideConflictView, TextSpan } from '#desktop/engine/api/conflict-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { useNow } from '#desktop/renderer/use-now.ts';

import styles from './conflict-case.module.css';
import { momentWords, placeWords, spansInWords, valueWords } from './conflict-place.ts';
import { sideText, type Decision } from './decision.ts';
import { ResultText } from './result-text.tsx';
import { Spans } from './spans.tsx';
import type { Deciding } from './use-decisions.ts';

interface ConflictCaseProps {
  conflict: GuideConflictView;
  found: GuideConflicts;
  deciding: Deciding;
}

/** A conflict: mine and theirs side by side, and the text before both. Pressing a version chooses it. */
export function ConflictCase({ conflict, found, deciding }: ConflictCaseProps) {
  const now = useNow(60_000);
  const title = useId();
  const { kind, canKeepBoth } = conflict;
  const base = valueWords(conflict, conflict.base);
  const { theirName } = found;
  const decision = deciding.of(conflict);
  const isText = kind === 'words';
  const choose = (value: string) => {
    const next: Decision =
      value === 'text'
        ? {
            text:
              decision === null || 'text' in decision
                ? sideText(conflict, 'mine')
                : sideText(conflict, decision.side),
          }
        : { side: value === 'mine' || value === 'theirs' ? value : 'both' };
    deciding.decide([conflict], next);
  };
  return (
    <div className={classNames(styles, 'case', decision !== null && 'decided')}>
      <p id={title} className={classNames(styles, 'place')}>
        <b>{placeWords(conflict)}</b>
        <span>{kindWords(conflict, theirName)}</span>
      </p>
      <RadioGroup
        className={classNames(styles, 'choices')}
        aria-labelledby={title}
        value={decision === null ? null : 'side' in decision ? decision.side : 'text'}
        onChange={choose}
      >
        <Version
          value="mine"
          title={text.conflict.mine(momentWords(conflict.mineAt, now))}
          spans={spansInWords(conflict, 'mine')}
          pictures={conflict.pictures?.mine}
          isDeleted={kind === 'deleted-by-me'}
        />
        <Version
          value="theirs"
          title={text.conflict.theirs(theirName, momentWords(conflict.theirsAt, now))}
          spans={spansInWords(conflict, 'theirs')}
          pictures={conflict.pictures?.theirs}
          isDeleted={kind === 'deleted-by-them'}
        />
        <div className={classNames(styles, 'more')}>
          {(canKeepBoth || isText) && (
            <div className={classNames(styles, 'others')}>
              {canKeepBoth && (
                <Radio value="both" className={classNames(styles, 'other')}>
                  {text.conflict.takeBoth}
                </Radio>
              )}
              {isText && (
                <Radio value="text" className={classNames(styles, 'other')}>
                  {text.conflict.write}
                </Radio>
              )}
            </div>
          )}
          <p className={classNames(styles, 'before')}>
            {base === '' ? text.conflict.beforeNothing : text.conflict.before(base)}
          </p>
        </div>
      </RadioGroup>
      {decision !== null && 'text' in decision && (
        <ResultText
          conflict={conflict}
          words={decision.text}
          onChange={(words) => deciding.decide([conflict], { text: words }, true)}
        />
      )}
      {decision !== null && 'side' in decision && decision.side === 'both' && isText && (
        <ResultText conflict={conflict} words={sideText(conflict, 'both')} />
      )}
    </div>
  );
}

function kindWords({ kind }: GuideConflictView, theirName: string): string {
  const { kinds } = text.conflict;
  return kind === 'words' || kind === 'value' ? kinds[kind] : kinds[kind](theirName);
}

interface VersionProps {
  value: string;
  title: string;
  spans: readonly TextSpan[];
  pictures: readonly string[] | undefined;
  isDeleted: boolean;
}

function Version({ value, title, spans, pictures, isDeleted }: VersionProps) {
  const isEmpty = spans.every((span) => span.text === '') && (pictures ?? []).length === 0;
  return (
    <Radio value={value} className={classNames(styles, 'version')}>
      <span className={classNames(styles, 'who')}>
        <span className={classNames(styles, 'dot')} aria-hidden="true" />
        {title}
      </span>
      {isDeleted || isEmpty ? (
        <span className={classNames(styles, 'gone')}>
          {isDeleted ? text.conflict.deleted : text.conflict.empty}
        </span>
      ) : pictures === undefined ? (
        <span className={classNames(styles, 'text')}>
          <Spans spans={spans} />
        </span>
      ) : (
        <span className={classNames(styles, 'pictures')}>
          {pictures.map((guid) => (
            <span key={guid} className={classNames(styles, 'picture')}>
              <Picture guid={guid} size="thumbnail" alt="" fit="cover" />
            </span>
          ))}
          <span className={classNames(styles, 'small')}>
            <Spans spans={spans} />
          </span>
        </span>
      )}
    </Radio>
  );
}
