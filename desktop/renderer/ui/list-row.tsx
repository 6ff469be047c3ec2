import { Children, type ReactNode } from 'react';

import { classNames } from './class-names.ts';
import styles from './list-row.module.css';
import { WholeLink, wholeLinkPlace } from './whole-link.tsx';

interface RowListProps {
  /** `many`: as many columns as fit. */
  columns?: 'one' | 'many';
  children: ReactNode;
}

/** A list of `ListRow`s; renders nothing if it is empty. */
export function RowList({ columns = 'one', children }: RowListProps) {
  if (Children.count(children) === 0) return null;
  return <ul className={classNames(styles, 'list', `columns-${columns}`)}>{children}</ul>;
}

interface ListRowProps {
  picture?: ReactNode;
  /** Shown without a picture; hidden on narrow windows. */
  icon?: ReactNode;
  tone?: 'plain' | 'chosen' | 'broken';
  /** State and actions; below the text on narrow windows. */
  end?: ReactNode;
  /** Menu with further actions; always beside the text. */
  menu?: ReactNode;
  /** A `RowTitle` and the text below it. */
  children: ReactNode;
}

/** A list row: title, facts and actions. */
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
  /** `heading`: for lists below a heading. */
  as?: 'words' | 'heading';
  /** Target of the whole row. */
  href?: string | undefined;
  children: ReactNode;
}

/** The title of a row. */
export function RowTitle({ as = 'words', href, children }: RowTitleProps) {
  const Element = as === 'heading' ? 'h3' : 'p';
  return (
    <Element className={classNames(styles, 'title')}>
      {href === undefined ? children : <WholeLink href={href}>{children}</WholeLink>}
    </Element>
  );
}
