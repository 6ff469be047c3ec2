import type { ReactNode } from 'react';

import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** A verb: what will happen. */
  confirmLabel: string;
  cancelLabel: string;
  tone?: 'primary' | 'danger';
  /** Disables the confirmation until another condition is met. */
  isBlocked?: boolean;
  onConfirm: () => void;
  children: ReactNode;
}

/** Asks for confirmation of something that cannot be undone. */
export function ConfirmDialog({ tone = 'danger', ...props }: ConfirmDialogProps) {
  return (
    <Dialog
      title={props.title}
      isOpen={props.isOpen}
      onClose={props.onClose}
      closeLabel={props.cancelLabel}
      actions={
        <>
          <Button onPress={props.onClose} autoFocus>
            {props.cancelLabel}
          </Button>
          <Button
            tone={tone}
            isDisabled={props.isBlocked === true}
            onPress={() => {
              // A second tap while the dialog goes away.
              if (!props.isOpen) return;
              props.onClose();
              props.onConfirm();
            }}
          >
            {props.confirmLabel}
          </Button>
        </>
      }
    >
      {props.children}
    </Dialog>
  );
}
