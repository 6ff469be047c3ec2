import type { ReactNode } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import styles from './page.module.css';

interface PageProps {
  title: string;
  /** Hides the heading, which is elsewhere on the screen; only the window's title is set. */
  hideTitle?: boolean;
  /** Above the heading: breadcrumb. */
  over?: ReactNode;
  /** Below the title: facts and actions. */
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A scrolling page with one heading. */
export function Page({ title, hideTitle = false, over, lead, actions, children }: PageProps) {
  return (
    <div className={classNames(styles, 'page')}>
      <title>{text.app.title(title)}</title>
      {!hideTitle && (
        <header className={classNames(styles, 'head')}>
          <div className={classNames(styles, 'words')}>
            {over}
            <h1>{title}</h1>
            {lead !== undefined && <div className={classNames(styles, 'lead')}>{lead}</div>}
          </div>
          {actions !== undefined && <div className={classNames(styles, 'actions')}>{actions}</div>}
        </header>
      )}
      {children}
    </div>
  );
}
