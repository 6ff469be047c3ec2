import { classNames } from './class-names.ts';
import styles from './loading.module.css';

/** Loading indicator. It appears after a short delay, because local reads are fast. */
export function Loading({ label }: { label: string }) {
  return (
    <div className={classNames(styles, 'loading')} role="status">
      <span>{label}</span>
    </div>
  );
}
