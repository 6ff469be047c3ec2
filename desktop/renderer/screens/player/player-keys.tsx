import { useEffect, useRef } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';

import styles from './player-keys.module.css';

/** Elements that handle keys themselves. */
const ownKeys =
  'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"], [role="listbox"], [role="radiogroup"], video';

/** Single keys for the whole screen, by `KeyboardEvent.key` (letters in lower case). */
export function usePlayerKeys(keys: Record<string, (() => void) | null | undefined>): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.closest(ownKeys)) return;
      const action = latest.current[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** Dialog that lists the keys of the player. */
export function KeyHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title={text.player.keysTitle} isOpen={isOpen} onClose={onClose} closeLabel={text.app.close}>
      <dl className={classNames(styles, 'keys')}>
        {text.player.keyList.map(([key, meaning]) => (
          <div key={key} className={classNames(styles, 'row')}>
            <dt>
              <kbd className={classNames(styles, 'key')}>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
