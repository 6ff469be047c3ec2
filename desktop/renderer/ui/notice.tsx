import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

import { classNames } from './class-names.ts';
import styles from './notice.module.css';

interface NoticeProps {
  tone: 'info' | 'warn' | 'danger';
  title: string;
  children?: ReactNode;
  /** A button for the next action. */
  action?: ReactNode;
}

const icons = { info: Info, warn: TriangleAlert, danger: CircleAlert };

/** A message about what happened and what to do, shown where it happened. */
export function Notice({ tone, title, children, action }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div className={classNames(styles, 'notice', tone)} role={tone === 'danger' ? 'alert' : 'note'}>
      <Icon aria-hidden="true" />
      <div className={classNames(styles, 'words')}>
        <strong>{title}</strong>
        {children !== undefined && <div>{children}</div>}
      </div>
      {action}
    </div>
  );
}
