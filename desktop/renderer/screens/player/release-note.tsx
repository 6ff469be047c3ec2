import type { ReleaseView } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';

import { guideHref } from '../library/guide-address.ts';

/** A prerequisite as it was released: who asks for that, and the way to the guide as it is now. */
export function ReleaseNote({ guideid, release }: { guideid: string; release: ReleaseView }) {
  return (
    <Notice
      tone="info"
      title={text.player.releaseTitle(release.title)}
      action={<ButtonLink href={guideHref(guideid)}>{text.player.openPresent}</ButtonLink>}
    >
      {text.player.releaseHint(release.by.title)}
    </Notice>
  );
}
