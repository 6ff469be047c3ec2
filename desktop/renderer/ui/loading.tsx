import { classNames } from './class-names.ts';
import styles from './loading.module.css';

/** Stands where content will be. Shows itself only after a moment, because local reads take none. */
export function Loading({ label }: { label: string }) {
  return (
    <div className={classNames(styles, 'loading')} role="status">
      <span>{label}</span>
    </div>
  );
}
