import { useId, type ReactNode } from 'react';

import { classNames } from './class-names.ts';
import styles from './panel.module.css';

/** A text with an aside; on narrow windows the aside is below it. */
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

/** A titled section of the aside. */
export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section className={classNames(styles, 'panel')} aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  );
}

/** A vertical list in a panel. */
export function PanelList({ children }: { children: ReactNode }) {
  return <ul className={classNames(styles, 'list')}>{children}</ul>;
}

/** Class of an entry of a `PanelList`: an item, link or button. */
export const panelItem = classNames(styles, 'item');

/** Class of secondary text in an entry. */
export const panelNote = classNames(styles, 'note');

/** Pairs of names and values; pairs without a value are left out. */
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
