import { useId } from 'react';
import { TextArea } from 'react-aria-components';

import type { GuideConflictView } from '#desktop/engine/api/conflict-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import { resultSpans } from './decision.ts';
import styles from './result-text.module.css';
import { Spans } from './spans.tsx';

interface ResultTextProps {
  conflict: GuideConflictView;
  words: string;
  /** Present if the text can be edited. */
  onChange?: (words: string) => void;
}

/** The result. Its colours are drawn behind the field, so that the coloured text can be edited in place. */
export function ResultText({ conflict, words, onChange }: ResultTextProps) {
  const heading = useId();
  const spans = resultSpans(conflict, words);
  return (
    <section className={classNames(styles, 'result')} aria-labelledby={heading}>
      <h3 id={heading} className={classNames(styles, 'name')}>
        {onChange ? text.conflict.resultFree : text.conflict.result}
      </h3>
      {onChange ? (
        <div className={classNames(styles, 'stack')}>
          <p className={classNames(styles, 'words', 'behind')} aria-hidden="true">
            <Spans spans={spans} />
            {/* A trailing line break takes up space only if something follows it. */}
            {'\u200b'}
          </p>
          <TextArea
            className={classNames(styles, 'words', 'pen')}
            aria-labelledby={heading}
            value={words}
            rows={1}
            onChange={(event) => onChange(event.target.value)}
          />
        </div>
      ) : (
        <p className={classNames(styles, 'words')}>
          <Spans spans={spans} />
        </p>
      )}
    </section>
  );
}
