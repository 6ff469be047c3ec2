import { Fragment } from 'react';

import type { TextSpan } from '#desktop/engine/api/conflict-records.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import styles from './spans.module.css';

/** Text coloured and underlined by author; surrounding blanks are plain. */
export function Spans({ spans }: { spans: readonly TextSpan[] }) {
  return spans.map(({ text, by }, index) => (
    // Spans have no ids; their order is fixed.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>{by === 'base' ? text : <AuthoredSpan text={text} by={by} />}</Fragment>
  ));
}

function AuthoredSpan({ text, by }: { text: string; by: 'mine' | 'theirs' }) {
  const words = text.trim();
  const at = text.indexOf(words);
  return (
    <>
      {text.slice(0, at)}
      <span className={classNames(styles, by)}>{words}</span>
      {text.slice(at + words.length)}
    </>
  );
}
