import { Printer } from 'lucide-react';

import { accountAdminText } from '#desktop/renderer/text/en/account-admin.ts';
import { formatDay } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { CodeCard } from '#desktop/renderer/ui/code-card.tsx';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

/** A code that was just made. */
export interface MadeCode {
  name: string;
  code: string;
  /** UNIX seconds. */
  until: number;
}

/**
 * The sheet for a person with a code.
 *
 * - ADMIN-7 A code is shown once, large, with a QR code of the page on which it is used, and prints as a sheet of its own.
 */
export function CodeSheet({ made: { name, code, until }, onClose }: { made: MadeCode; onClose: () => void }) {
  const server = useLive('session').server ?? '';
  const words = accountAdminText;
  return (
    <div data-sheet>
      <CodeCard
        title={words.sheetTitle(name)}
        code={code}
        // After `#`, so that no server or proxy writes the code into its log.
        qr={{ text: `${server}/redeem#${code}`, label: words.sheetQr }}
      >
        <ol>
          {words.sheetSteps(`${server}/redeem`).map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <Note>{words.until(formatDay(until * 1000))}</Note>
        <Row>
          <Button tone="primary" icon={<Printer aria-hidden="true" />} onPress={() => window.print()}>
            {words.print}
          </Button>
          <Button onPress={onClose}>{words.hide}</Button>
        </Row>
      </CodeCard>
    </div>
  );
}
