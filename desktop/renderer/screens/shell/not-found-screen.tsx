import { Compass } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';

import { EmptyPage } from './empty-page.tsx';

export function NotFoundScreen() {
  return (
    <EmptyPage title={text.app.notFound} icon={<Compass />} wayOut={{ href: '/', words: text.app.toLibrary }}>
      {text.app.notFoundHint}
    </EmptyPage>
  );
}
