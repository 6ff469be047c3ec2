import { useId, type ReactNode } from 'react';

import { classNames } from './class-names.ts';
import styles from './panel.module.css';

/** A text, and beside it, or below it where the window is narrow, what is known about it. */
export function WithSide({ side, children }: { side: ReactNode; children: ReactNode }) {
  return (
    <div className={classNames(styles, 'sheet')}>
      <div className={classNames(styles, 'main')}>{children}</div>
      <div className={classNames(styles, 'side')}>{side}</div>
    </div>
  );
}

/** The picture above a text. */
export function Cover({ children }: { children: ReactNode }) {
  return <div className={classNames(styles, 'cover')}>{children}</div>;
}

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

/** The things of a panel, one below the other. */
export function PanelList({ children }: { children: ReactNode }) {
  return <ul className={classNames(styles, 'list')}>{children}</ul>;
}

/** Class of one thing in a `PanelList`, be it an item, a link or a button. */
export const panelItem = classNames(styles, 'item');

/** Class of what is said beside a thing. */
export const panelNote = classNames(styles, 'note');

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
