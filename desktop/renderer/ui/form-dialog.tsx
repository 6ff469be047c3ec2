import type { KeyboardEvent, ReactNode, Ref } from 'react';

import { text } from '#desktop/renderer/text/en.ts';

import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Stack } from './layout.tsx';

interface FormDialogProps {
  title: string;
  size?: 'small' | 'medium';
  onClose: () => void;
  cancelLabel: string;
  /** A verb: what will happen. */
  submitLabel: string;
  tone?: 'primary' | 'danger';
  onSubmit: () => void;
  isPending?: boolean;
  /** Disables the main button, and Enter. */
  isBlocked?: boolean;
  /** Instead of the main button. */
  mainButton?: ReactNode;
  /** Another button, before Cancel. */
  other?: ReactNode;
  form?: Ref<HTMLFormElement>;
  children: ReactNode;
}

/**
 * A dialog with fields, Cancel and a main button.
 *
 * - DIALOG-1 Enter in a field does what the main button does, in a field of several lines Ctrl+Enter (⌘Enter).
 */
export function FormDialog(props: FormDialogProps) {
  const { title, size = 'small', onClose, cancelLabel, submitLabel, tone = 'primary', onSubmit } = props;
  const { isPending = false, isBlocked = false, mainButton, other, form, children } = props;
  const submit = () => {
    if (!isBlocked && !isPending) onSubmit();
  };
  const submitWithModifier = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  };
  return (
    <Dialog
      title={title}
      size={size}
      isOpen
      onClose={onClose}
      closeLabel={text.app.close}
      actions={
        <>
          {other}
          <Button onPress={onClose}>{cancelLabel}</Button>
          {mainButton ?? (
            <Button tone={tone} onPress={onSubmit} isPending={isPending} isDisabled={isBlocked}>
              {submitLabel}
            </Button>
          )}
        </>
      }
    >
      <form
        ref={form}
        noValidate
        onKeyDown={submitWithModifier}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack>{children}</Stack>
        {/* Without one, Enter in one of several fields submits nothing. */}
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </form>
    </Dialog>
  );
}
