import { UsersRound } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';

import { EmptyPage } from '../shell/empty-page.tsx';

/** Shown if a person or team does not exist on this device. */
export function Gone() {
  return (
    <EmptyPage
      title={text.people.gone}
      icon={<UsersRound />}
      wayOut={{ href: '/people', words: text.people.toPeople }}
    >
      {text.people.goneHint}
    </EmptyPage>
  );
}
