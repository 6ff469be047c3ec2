import { useState } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

interface DeleteButtonProps {
  words: string;
  title: string;
  hint: string;
  tone?: 'plain' | 'danger';
  onDelete: () => Promise<unknown>;
}

/** Button that deletes something after a confirmation. */
export function DeleteButton({ words, title, hint, tone = 'plain', onDelete }: DeleteButtonProps) {
  const { act, busy } = useAsyncAction();
  const [isAsked, setIsAsked] = useState(false);
  return (
    <>
      <Button tone={tone} onPress={() => setIsAsked(true)} isPending={busy}>
        {words}
      </Button>
      <ConfirmDialog
        title={title}
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        confirmLabel={words}
        cancelLabel={text.app.cancel}
        onConfirm={() => act(onDelete)}
      >
        {hint}
      </ConfirmDialog>
    </>
  );
}
