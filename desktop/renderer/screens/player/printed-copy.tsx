import type { PlayableGuide } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { QrCode } from '#desktop/renderer/ui/qr-code.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import { revisionWords } from '../work-orders/revision-words.ts';
import styles from './all-steps-page.module.css';

/**
 * On paper only: which version it is, and where the current one is.
 *
 * - READ-5 A printed guide says that it is a copy, of which revision, whether that is approved, and when it was printed. Its
 *   QR code leads to the guide on the server.
 */
export function PrintedCopy({ guide }: { guide: PlayableGuide }) {
  const { server } = useLive('session');
  const now = useNow();
  const revision = guide.revision === null ? guide.archive?.title : revisionWords(guide.revision);
  const isOnServer = guide.archive === null && /^\d+$/.test(guide.guideid);
  const address =
    server === null || !isOnServer ? null : `${server.replace(/\/$/, '')}/guides/${guide.guideid}`;
  return (
    <div className={classNames(styles, 'copy')}>
      {address !== null && (
        <div className={classNames(styles, 'code')}>
          <QrCode text={address} label={text.player.printedCode} />
        </div>
      )}
      <div>
        <p>
          <strong>{text.player.printedCopy}</strong>
          {revision !== undefined && ` · ${revision}`} · {text.player.printedAt(formatDate(now))}
        </p>
        <p>{address === null ? text.player.printedHint : text.player.printedFrom(address)}</p>
      </div>
    </div>
  );
}
