import { Compass } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';

import { Page } from './page.tsx';

export function NotFoundScreen() {
  return (
    <Page title={text.app.notFound} hideTitle>
      <EmptyState
        icon={<Compass />}
        title={text.app.notFound}
        action={<ButtonLink href="/">{text.app.toLibrary}</ButtonLink>}
      >
        {text.app.notFoundHint}
      </EmptyState>
    </Page>
  );
}
