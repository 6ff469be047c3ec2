import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';

import { classNames } from './class-names.ts';
import styles from './whole-link.module.css';

/** Class of the row or card that the `WholeLink` in it covers. */
export const wholeLinkPlace = classNames(styles, 'whole');

/** The name in a row or card; a press anywhere on the row or card leads to `href`. */
export function WholeLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link className={classNames(styles, 'link')} href={href}>
      {children}
    </Link>
  );
}
