import { useId, type ReactNode } from 'react';

import { classNames } from '#desktop/renderer/ui/class-names.ts';

import styles from './pages.module.css';

/** A named part beside the text. */
export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section className={classNames(styles, 'panel')} aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  );
}

/** Facts as pairs; those without a value are left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  const known = facts.filter(([, value]) => value !== '' && value !== null);
  if (known.length === 0) return null;
  return (
    <dl className={classNames(styles, 'facts')}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
