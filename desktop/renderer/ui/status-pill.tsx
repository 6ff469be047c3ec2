import { Link } from 'react-aria-components';

import { classNames } from './class-names.ts';
import styles from './status-pill.module.css';

interface StatusPillProps {
  tone: 'ok' | 'neutral' | 'warn' | 'danger';
  words: string;
  /** Where more is told. */
  href: string;
}

/** The state of the person's work, in words; the dot only supports them. */
export function StatusPill({ tone, words, href }: StatusPillProps) {
  return (
    <Link className={classNames(styles, 'pill', tone)} href={href}>
      <span className={classNames(styles, 'dot')} aria-hidden="true" />
      {words}
    </Link>
  );
}
