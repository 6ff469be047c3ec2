import type { ReactNode } from 'react';

import { classNames } from './class-names.ts';
import styles from './kbd.module.css';

/** The name of a key. */
export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className={classNames(styles, 'key')}>{children}</kbd>;
}
