import { Children, type ReactNode } from 'react';

import { classNames } from './class-names.ts';
import styles from './list-row.module.css';
import { WholeLink, wholeLinkPlace } from './whole-link.tsx';

interface RowListProps {
  /** `many`: as many side by side as fit. */
  columns?: 'one' | 'many';
  children: ReactNode;
}

/** A list of `ListRow`s; nothing where there are none. */
export function RowList({ columns = 'one', children }: RowListProps) {
  if (Children.count(children) === 0) return null;
  return <ul className={classNames(styles, 'list', `columns-${columns}`)}>{children}</ul>;
}

interface ListRowProps {
  picture?: ReactNode;
  /** In place of a picture; left out where the window is narrow. */
  icon?: ReactNode;
  tone?: 'plain' | 'chosen' | 'broken';
  /** How the thing is, and what can be done with it; below the words where the window is narrow. */
  end?: ReactNode;
  /** The way to what can be done besides; it stays beside the words. */
  menu?: ReactNode;
  /** A `RowTitle`, and what is said below it. */
  children: ReactNode;
}

/** One thing in a list: what it is called, what is known of it, and what can be done with it. */
export function ListRow({ picture, icon, tone = 'plain', end, menu, children }: ListRowProps) {
  return (
    <li className={`${classNames(styles, 'row', tone)} ${wholeLinkPlace}`}>
      {picture !== undefined && (
        <span className={classNames(styles, 'picture')} aria-hidden="true">
          {picture}
        </span>
      )}
      {icon !== undefined && (
        <span className={classNames(styles, 'icon')} aria-hidden="true">
          {icon}
        </span>
      )}
      <div className={classNames(styles, 'words')}>{children}</div>
      {end !== undefined && <div className={classNames(styles, 'end')}>{end}</div>}
      {menu !== undefined && <div className={classNames(styles, 'menu')}>{menu}</div>}
    </li>
  );
}

interface RowTitleProps {
  /** `heading`: the list stands below a heading of its own. */
  as?: 'words' | 'heading';
  /** Where the whole row leads. */
  href?: string | undefined;
  children: ReactNode;
}

/** What the thing in a row is called. */
export function RowTitle({ as = 'words', href, children }: RowTitleProps) {
  const Element = as === 'heading' ? 'h3' : 'p';
  return (
    <Element className={classNames(styles, 'title')}>
      {href === undefined ? children : <WholeLink href={href}>{children}</WholeLink>}
    </Element>
  );
}
