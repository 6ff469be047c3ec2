import type { PlayableGuide } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { screens } from '#shared/rules/screens.ts';

/**
 * Offline, above a guide that is not whole on this device.
 *
 * - CARRY-13 A guide that is not kept can be read: its text is here. Online its pictures and documents are loaded when it is
 *   opened; offline there are placeholders, and words that say what to do.
 */
export function NotKept({ guide }: { guide: PlayableGuide }) {
  const { connection } = useLive('syncState');
  const isWhole = guide.archive !== null || guide.readiness.state === 'ready';
  if (connection === 'online' || isWhole) return null;
  return (
    <Notice
      tone="info"
      title={text.player.notKept}
      action={<ButtonLink href={screens.settings.path}>{text.player.chooseKept}</ButtonLink>}
    >
      {text.player.notKeptHint}
    </Notice>
  );
}
