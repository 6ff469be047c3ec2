import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';

import { classNames } from './class-names.ts';
import styles from './whole-link.module.css';

/** Class of the row or card that a `WholeLink` inside it covers. */
export const wholeLinkPlace = classNames(styles, 'whole');

/** The title link of a row or card; a press anywhere on the row or card follows it. */
export function WholeLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link className={classNames(styles, 'link')} href={href}>
      {children}
    </Link>
  );
}
