import { LockKeyhole } from 'lucide-react';
import { useState } from 'react';

import type { PlayableGuide } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import { EmptyPage } from './empty-page.tsx';

/** Whether access to a guide was lost while it was shown here, or the person's text in it is quarantined. */
export function useHasLeft(guideid: string, guide: PlayableGuide | null): boolean {
  const [seen, setSeen] = useState<string | null>(null);
  const isKept = useIsKept(guideid);
  // Archived guides and guides that were never sent disappear because this person closes or discards them.
  const isOnServer = guide !== null && guide.archive === null && !guideid.startsWith('tmp:');
  if (isOnServer && seen !== guideid) setSeen(guideid);
  return guide === null && (seen === guideid || isKept);
}

/** Explains that the guide is no longer accessible, and where to find the person's own text. */
export function LeftGuide({ guideid }: { guideid: string }) {
  const isKept = useIsKept(guideid);
  const wayOut = isKept
    ? { href: '/sync', words: text.conflict.toSync }
    : { href: '/', words: text.app.toLibrary };
  return (
    <EmptyPage title={text.app.guideLeft} icon={<LockKeyhole />} wayOut={wayOut}>
      {isKept ? text.app.guideLeftKept : text.app.guideLeftHint}
    </EmptyPage>
  );
}

function useIsKept(guideid: string): boolean {
  return useLiveSoon('keptWords')?.some((one) => one.guideid === guideid) ?? false;
}
