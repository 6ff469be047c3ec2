import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Button as AriaButton,
  Dialog as AriaDialog,
  Heading,
  Modal,
  ModalOverlay,
} from 'react-aria-components';

import { classNames } from './class-names.ts';
import styles from './dialog.module.css';

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** `sheet`: fills the whole window, for pictures. */
  size?: 'small' | 'medium' | 'sheet';
  /** Name of the closing button. */
  closeLabel: string;
  /** Buttons at the bottom right; the primary action last. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Dialog({
  title,
  isOpen,
  onClose,
  size = 'small',
  closeLabel,
  actions,
  children,
}: DialogProps) {
  return (
    <ModalOverlay
      className={classNames(styles, 'overlay', size)}
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDismissable
    >
      <Modal className={classNames(styles, 'modal')}>
        <AriaDialog className={classNames(styles, 'dialog')}>
          <div className={classNames(styles, 'head')}>
            <Heading slot="title" className={classNames(styles, 'title')} level={2}>
              {title}
            </Heading>
            <AriaButton className={classNames(styles, 'close')} aria-label={closeLabel} onPress={onClose}>
              <X aria-hidden="true" />
            </AriaButton>
          </div>
          <div className={classNames(styles, 'body')}>{children}</div>
          {actions !== undefined && <div className={classNames(styles, 'actions')}>{actions}</div>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
