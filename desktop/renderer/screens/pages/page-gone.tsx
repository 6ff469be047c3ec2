import { BookOpen } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';

import { EmptyPage } from '../shell/empty-page.tsx';

/** Shown if the page does not exist on this device. */
export function PageGone() {
  return (
    <EmptyPage
      title={text.pages.gone}
      icon={<BookOpen />}
      wayOut={{ href: '/pages', words: text.pages.toPages }}
    >
      {text.pages.goneHint}
    </EmptyPage>
  );
}
