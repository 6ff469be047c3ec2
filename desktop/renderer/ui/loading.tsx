import { useEffect, useState } from 'react';

import { appText } from '#desktop/renderer/text/en/app.ts';

import { classNames } from './class-names.ts';
import styles from './loading.module.css';

/** After this time a person wonders whether something is wrong, ms. */
const patience = 15_000;

/** Loading indicator. It appears after a short delay, because local reads are fast. */
export function Loading({ label }: { label: string }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patience);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={classNames(styles, 'loading')} role="status">
      <span>{label}</span>
      {isLate && <span className={classNames(styles, 'late')}>{appText.loadingLate}</span>}
    </div>
  );
}
