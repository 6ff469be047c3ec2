import { Suspense, useCallback, useState } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import { useLocation } from 'wouter';

import { paletteText as words } from '#desktop/renderer/text/en/palette.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Kbd } from '#desktop/renderer/ui/kbd.tsx';

import { Finder } from './finder.tsx';
import styles from './palette.module.css';
import { Seek } from './seek.tsx';
import { useAnswers } from './use-answers.ts';

/** A dialog that leads to any guide, work order, category, page and screen, by words, by a number or by a code. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const [query, setQuery] = useState('');
  const go = useCallback(
    (href: string) => {
      onClose();
      navigate(href);
    },
    [navigate, onClose],
  );
  const answers = useAnswers(go);
  return (
    <ModalOverlay
      className={classNames(styles, 'overlay')}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      isDismissable
    >
      <Modal className={classNames(styles, 'modal')}>
        <Dialog className={classNames(styles, 'dialog')} aria-label={words.title}>
          <Finder query={query} onQuery={setQuery} answers={answers} onGo={go} onClose={onClose} />
          <Suspense fallback={null}>
            <Seek query={query.trim()} onFound={answers.onFound} />
          </Suspense>
          <p className={classNames(styles, 'foot')}>
            <span>{words.scanHint}</span>
            <span>
              <Kbd>↑</Kbd> <Kbd>↓</Kbd> {words.keys.move}
            </span>
            <span>
              <Kbd>↵</Kbd> {words.keys.open}
            </span>
            <span>
              <Kbd>Esc</Kbd> {words.keys.close}
            </span>
          </p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
