import { Fragment } from 'react';

import type { TextSpan } from '#desktop/engine/api/conflict-records.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import styles from './spans.module.css';

/** Words coloured, and underlined in two ways, by who wrote them; blanks around them stay plain. */
export function Spans({ spans }: { spans: readonly TextSpan[] }) {
  return spans.map(({ text, by }, index) => (
    // The pieces of a text have no identity but their place.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>{by === 'base' ? text : <Own text={text} by={by} />}</Fragment>
  ));
}

function Own({ text, by }: { text: string; by: 'mine' | 'theirs' }) {
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
