import { BookOpen, Compass } from 'lucide-react';
import type { ReactNode } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';

import { Page } from './page.tsx';

interface EmptyPageProps {
  title: string;
  icon: ReactNode;
  /** Shown instead of the title where the page exists, but not for this person. */
  reason?: string;
  /** Link to another place. */
  wayOut: { href: string; words: string };
  children: ReactNode;
}

/** A page without content: the reason, and a link to another place. */
export function EmptyPage({ title, icon, reason = title, wayOut, children }: EmptyPageProps) {
  return (
    <Page title={title} hideTitle>
      <EmptyState
        icon={icon}
        title={reason}
        heading="h1"
        action={<ButtonLink href={wayOut.href}>{wayOut.words}</ButtonLink>}
      >
        {children}
      </EmptyState>
    </Page>
  );
}

/** Shown to people who may read a page but not edit it; `href` leads back. */
export function NotPermitted({ href }: { href: string }) {
  return (
    <EmptyPage title={text.pages.mayNotEdit} icon={<BookOpen />} wayOut={{ href, words: text.app.back }}>
      {text.pages.mayNotEditHint}
    </EmptyPage>
  );
}

/** Shown for unknown addresses. */
export function NotFoundScreen() {
  return (
    <EmptyPage title={text.app.notFound} icon={<Compass />} wayOut={{ href: '/', words: text.app.toLibrary }}>
      {text.app.notFoundHint}
    </EmptyPage>
  );
}
