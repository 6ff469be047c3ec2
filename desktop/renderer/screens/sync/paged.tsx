import { type ReactNode, useState } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { formatNumber } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import styles from './paged.module.css';

const page = 50;

/** The first rows of a list and the open row, wherever it is, with a button for more. */
export function Paged<T>({
  rows,
  isOpen,
  children,
}: {
  rows: readonly T[];
  isOpen: (row: T) => boolean;
  children: (shown: readonly T[]) => ReactNode;
}) {
  const [limit, setLimit] = useState(page);
  const open = rows.slice(limit).find(isOpen);
  const shown = [...rows.slice(0, limit), ...(open === undefined ? [] : [open])];
  return (
    <>
      {children(shown)}
      {shown.length < rows.length && (
        <p className={classNames(styles, 'more')}>
          <span>{text.sync.shownOf(formatNumber(shown.length), formatNumber(rows.length))}</span>
          <Button onPress={() => setLimit(limit + page)}>{text.sync.showMore}</Button>
        </p>
      )}
    </>
  );
}
