import { Compass } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Button } from 'react-aria-components';

import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import styles from './palette-button.module.css';
import { usePalette } from './use-palette.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

const isMac = /mac/i.test(navigator.userAgent);

/** The button that opens the palette, with its shortcut; a symbol where there is little room. */
export function PaletteButton({ isBrief }: { isBrief: boolean }) {
  const { isOpen, open, close } = usePalette();
  const keys = isMac ? '⌘K' : 'Ctrl K';
  return (
    <>
      <Button className={classNames(styles, 'button', isBrief && 'brief')} onPress={open}>
        <Compass aria-hidden="true" />
        <span className={classNames(styles, 'name')}>{text.app.goTo}</span>
        <kbd className={classNames(styles, 'keys')}>{keys}</kbd>
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <Palette onClose={close} />
        </Suspense>
      )}
    </>
  );
}
