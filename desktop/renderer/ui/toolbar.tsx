import type { ReactNode } from 'react';
import { Toolbar as AriaToolbar } from 'react-aria-components';

import { classNames } from './class-names.ts';
import styles from './toolbar.module.css';

/** Related tools in a row; the arrow keys move between them. */
export function Toolbar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <AriaToolbar className={classNames(styles, 'toolbar')} aria-label={label}>
      {children}
    </AriaToolbar>
  );
}
