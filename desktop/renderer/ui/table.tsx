import type { ReactNode } from 'react';

import { classNames } from './class-names.ts';
import styles from './table.module.css';

interface TableProps {
  label: string;
  columns: readonly string[];
  /** The rows: `tr` elements. */
  children: ReactNode;
}

/** A table; on narrow windows each row is a block, the first cell above the others. */
export function Table({ label, columns, children }: TableProps) {
  return (
    <div className={classNames(styles, 'frame')}>
      <table className={classNames(styles, 'table')} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
