import type { EnrolmentCode } from '#desktop/engine/api/stations.ts';
import { stationAdminText } from '#desktop/renderer/text/en/station-admin.ts';
import { formatTime } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { CodeCard } from '#desktop/renderer/ui/code-card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import styles from './stations.module.css';

/** Digits in two groups, which are easier to write down and to read aloud. */
const shownExitCode = (code: string): string => `${code.slice(0, 4)} ${code.slice(4)}`;

/** The code by which a device enrols, large and as a QR code of the address that begins the enrolment. */
export function CodePanel({ made, onClose }: { made: EnrolmentCode; onClose: () => void }) {
  const { server } = useLive('session');
  return (
    <CodeCard
      title={stationAdminText.code}
      code={made.code}
      qr={{ text: `${server ?? ''}/enrol#${made.code}`, label: stationAdminText.codeQr }}
    >
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
    </CodeCard>
  );
}
