import type { ReactNode } from 'react';

import { appText } from '#desktop/renderer/text/en/app.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import { LogoMark } from '../shell/logo.tsx';
import styles from './sign-in-screen.module.css';

/** A page for signed-out people: brand, purpose and a form. */
export function Sheet({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <main className={classNames(styles, 'page')}>
      <title>{appText.title(title)}</title>
      <div className={classNames(styles, 'sheet')}>
        <header className={classNames(styles, 'head')}>
          <span className={classNames(styles, 'brand')}>
            <LogoMark />
            {appText.name}
          </span>
          <h1>{title}</h1>
          <p>{lead}</p>
        </header>
        {children}
      </div>
    </main>
  );
}
