import type { ArchiveCard } from '#desktop/engine/api/archive-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

interface RemoveDialogProps {
  archive: ArchiveCard;
  isOpen: boolean;
  onClose: () => void;
  onRemoved?: () => void;
}

/** Removes an archive from this device after a confirmation. */
export function RemoveDialog({ archive, isOpen, onClose, onRemoved }: RemoveDialogProps) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const remove = async () => {
    await actions.removeArchive(archive.archiveid);
    showToast(text.archives.removed(archive.title));
    onRemoved?.();
  };
  return (
    <ConfirmDialog
      title={text.archives.removeTitle(archive.title)}
      isOpen={isOpen}
      onClose={onClose}
      confirmLabel={text.archives.remove}
      cancelLabel={text.app.cancel}
      onConfirm={() => act(remove)}
    >
      <p>{text.archives.removeHint}</p>
    </ConfirmDialog>
  );
}
