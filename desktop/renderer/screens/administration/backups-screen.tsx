import { DatabaseBackup } from 'lucide-react';

import type { Actions } from '#desktop/engine/engine.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { jobsText } from '#desktop/renderer/text/en/jobs.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import type { ServerStatus } from '#shared/model/site.ts';

import { Backups } from '../site/backups-card.tsx';
import { SettingsScreen } from '../site/settings-section.tsx';
import { useServerValue } from '../site/use-server-value.ts';

const readStatus = (actions: Actions) => actions.readStatus();

/**
 * The state of the backups, and how long they are kept.
 *
 * - ADMIN-13 Administrators read when the last backup was made, its size and place, whether it was proved, and when the next
 *   is due, and make one now.
 */
export function BackupsScreen() {
  const { value, reload } = useServerValue(readStatus);
  return (
    <SettingsScreen
      section="backups"
      side={null}
      before={
        value !== null && (
          <Backups backup={value.backup}>
            <Making backup={value.backup} onBegun={reload} />
          </Backups>
        )
      }
    />
  );
}

function Making({ backup, onBegun }: { backup: ServerStatus['backup']; onBegun: () => void }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  if (backup.folder === null) return null;
  return (
    <>
      {backup.next_date !== null && <p>{jobsText.backupNext(formatDate(backup.next_date * 1000))}</p>}
      <Note>{jobsText.backupFolder(backup.folder)}</Note>
      {backup.running ? (
        <Notice tone="info" title={jobsText.backupRuns} />
      ) : (
        <div>
          <Button
            icon={<DatabaseBackup aria-hidden="true" />}
            isPending={busy}
            onPress={() =>
              act(async () => {
                await actions.makeBackup();
                showToast(jobsText.backupBegun);
                onBegun();
              })
            }
          >
            {jobsText.makeBackup}
          </Button>
        </div>
      )}
    </>
  );
}
