import type { Actions } from '#desktop/engine/engine.ts';
import { administrationText } from '#desktop/renderer/text/en/administration.ts';
import { formatBytes, formatDate } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import type { ServerStatus } from '#shared/model/site.ts';

import { useServerValue } from '../site/use-server-value.ts';

const readStatus = (actions: Actions) => actions.readStatus();

/** The last backup and the devices, beside a form. Nothing while the server does not say. */
export function SiteFacts() {
  const { value } = useServerValue(readStatus);
  if (value === null) return null;
  return (
    <Card as="section">
      <Stack>
        <Backup backup={value.backup} />
        <Devices devices={value.devices} />
      </Stack>
    </Card>
  );
}

function Backup({ backup: { last, failed, proof } }: Pick<ServerStatus, 'backup'>) {
  const words = administrationText;
  return (
    <Stack gap="s" align="start">
      <h2>{words.lastBackup}</h2>
      <p>{last === null ? words.noBackup : `${formatDate(last.date * 1000)} · ${formatBytes(last.size)}`}</p>
      {last !== null && proof === null && <Badge tone="warn">{words.notTested}</Badge>}
      {proof !== null && (
        <Badge tone={proof.findings.length === 0 ? 'ok' : 'danger'}>
          {proof.findings.length === 0 ? words.tested : words.testFailed}
        </Badge>
      )}
      {failed !== null && <Note>{words.backupFailed}</Note>}
    </Stack>
  );
}

function Devices({ devices: { connected, behind, waiting } }: Pick<ServerStatus, 'devices'>) {
  const words = administrationText;
  return (
    <Stack gap="s">
      <h2>{words.devices}</h2>
      <p>{words.connected(connected)}</p>
      {behind > 0 && <p>{words.behind(behind)}</p>}
      {waiting > 0 && <p>{words.waiting(waiting)}</p>}
    </Stack>
  );
}
