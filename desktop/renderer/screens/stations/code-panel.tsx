import type { EnrolmentCode } from '#desktop/engine/api/stations.ts';
import { stationAdminText } from '#desktop/renderer/text/en/station-admin.ts';
import { formatTime } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { QrCode } from '#desktop/renderer/ui/qr-code.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import styles from './stations.module.css';

/** Digits in two groups, which are easier to write down and to read aloud. */
const shownExitCode = (code: string): string => `${code.slice(0, 4)} ${code.slice(4)}`;

/** The code by which a device enrols, large and as a QR code of the address that begins the enrolment. */
export function CodePanel({ made, onClose }: { made: EnrolmentCode; onClose: () => void }) {
  const { server } = useLive('session');
  return (
    <Card as="section" tone="chosen" pad="roomy">
      <div className={classNames(styles, 'code')} role="status">
        <div className={classNames(styles, 'said')}>
          <h2>{stationAdminText.code}</h2>
          <code className={classNames(styles, 'digits')}>{made.code}</code>
          <p>{stationAdminText.codeHint(formatTime(made.until * 1000))}</p>
          {made.exitCode !== null && (
            <>
              <h3>{stationAdminText.exitCode}</h3>
              <code className={classNames(styles, 'exit')}>{shownExitCode(made.exitCode)}</code>
              <p>{stationAdminText.exitCodeHint}</p>
            </>
          )}
          <div>
            <Button onPress={onClose}>{stationAdminText.hideCode}</Button>
          </div>
        </div>
        <div className={classNames(styles, 'qr')}>
          <QrCode text={`${server ?? ''}/enrol#${made.code}`} label={stationAdminText.codeQr} />
        </div>
      </div>
    </Card>
  );
}
