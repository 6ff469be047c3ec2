import type { ReactNode } from 'react';

import { classNames } from './class-names.ts';
import styles from './note.module.css';

/** Secondary text. */
export function Note({ children }: { children: ReactNode }) {
  return <p className={classNames(styles, 'note')}>{children}</p>;
}
