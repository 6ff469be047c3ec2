import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import type { FormDraft } from '#desktop/renderer/use-form-draft.ts';

interface DiscardButtonProps {
  draft: Pick<FormDraft<unknown>, 'isDirty' | 'forget'>;
  onClose: () => void;
}

/** Closes a dialog without what was typed. Closing it in another way keeps that for the next time. */
export function DiscardButton({ draft: { isDirty, forget }, onClose }: DiscardButtonProps) {
  const discard = () => {
    forget();
    onClose();
  };
  return <Button onPress={discard}>{isDirty ? text.pages.discard : text.app.cancel}</Button>;
}
