import { UsersRound } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';

import { Page } from '../shell/page.tsx';

/** A person or team that is not here. */
export function Gone() {
  return (
    <Page title={text.people.gone} hideTitle>
      <EmptyState
        icon={<UsersRound />}
        title={text.people.gone}
        action={<ButtonLink href="/people">{text.people.toPeople}</ButtonLink>}
      >
        {text.people.goneHint}
      </EmptyState>
    </Page>
  );
}
