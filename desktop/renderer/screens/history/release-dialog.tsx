import { useState } from 'react';

import type { PresentRevision } from '#desktop/engine/api/guide-history.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { historyText } from '#desktop/renderer/text/en/history.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { FormDialog } from '#desktop/renderer/ui/form-dialog.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { Problem } from '#shared/api/problem.ts';

import { revisionName } from './revision-list.tsx';

const words = historyText;

interface ReleaseProps {
  guideid: string;
  present: PresentRevision;
  /** Shows the newest revision beside the one before it. */
  onLook: () => void;
}

/** The button that opens the dialog. What was typed in it stays until the guide is released. */
export function Release({ guideid, present, onLook }: ReleaseProps) {
  const [shown, setShown] = useState<PresentRevision | null>(null);
  const [typed, setTyped] = useState(nothing);
  return (
    <>
      <Button onPress={() => setShown(present)}>{words.release}</Button>
      {shown !== null && (
        <ReleaseDialog
          guideid={guideid}
          shown={shown}
          isOld={shown.revisionid !== present.revisionid}
          typed={typed}
          onType={(part) => setTyped((now) => ({ ...now, ...part }))}
          onReleased={() => {
            setTyped(nothing);
            setShown(null);
          }}
          onLook={() => {
            setShown(null);
            onLook();
          }}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
}

const nothing = { title: '', notes: '' };

interface ReleaseDialogProps {
  guideid: string;
  /** The revision that was present when the dialog was opened. */
  shown: PresentRevision;
  /** Somebody has saved a newer one since. */
  isOld: boolean;
  typed: typeof nothing;
  onType: (part: Partial<typeof nothing>) => void;
  onReleased: () => void;
  onLook: () => void;
  onClose: () => void;
}

/** Releases the revision that the person saw under a name. */
function ReleaseDialog(props: ReleaseDialogProps) {
  const { guideid, shown, isOld, typed, onType, onReleased, onLook, onClose } = props;
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [isRefused, setIsRefused] = useState(false);
  const { title, notes } = typed;
  const mustLook = isOld || isRefused;
  const release = () =>
    act(async () => {
      const name = title.trim();
      try {
        await actions.releaseGuide(guideid, shown.revisionid, {
          type: 'major',
          notes,
          ...(name !== '' && { title: name }),
        });
      } catch (error) {
        if (!(error instanceof Problem && error.kind === 'conflict')) throw error;
        setIsRefused(true);
        return;
      }
      showToast(words.releasedNow);
      onReleased();
    });
  return (
    <FormDialog
      title={words.releaseTitle(revisionName(shown))}
      size="medium"
      onClose={onClose}
      cancelLabel={text.app.cancel}
      submitLabel={words.releaseNow}
      onSubmit={release}
      isPending={busy}
      isBlocked={mustLook}
    >
      {mustLook && (
        <Notice
          tone="warn"
          title={words.savedMeanwhile}
          action={<Button onPress={onLook}>{words.lookAgain}</Button>}
        >
          {words.savedMeanwhileHint}
        </Notice>
      )}
      <p>{words.releaseBody}</p>
      <TextField
        label={words.releaseName}
        hint={words.releaseNameHint}
        value={title}
        onChange={(next) => onType({ title: next })}
      />
      <TextField
        kind="long"
        label={words.releaseNotes}
        value={notes}
        onChange={(next) => onType({ notes: next })}
      />
    </FormDialog>
  );
}
