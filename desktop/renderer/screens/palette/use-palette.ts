import { useCallback, useEffect, useState } from 'react';

const editable = 'input, textarea, select, [contenteditable="true"]';
const dialog = '[role="dialog"], [role="alertdialog"]';

/**
 * Whether the palette is open, and the keys that open it.
 *
 * - PALETTE-1 Ctrl+K (⌘K), `/` outside of fields, and a button open the palette, but not over another dialog. Escape closes
 *   it, and the focus returns to where it was.
 */
export function usePalette(): { isOpen: boolean; open: () => void; close: () => void } {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.isComposing) return;
      const hasModifier = event.ctrlKey || event.metaKey;
      const isCtrlK = hasModifier && !event.shiftKey && event.key.toLowerCase() === 'k';
      const inField = event.target instanceof Element && event.target.closest(editable) !== null;
      const isSlash = event.key === '/' && !hasModifier && !inField;
      if (!isCtrlK && !isSlash) return;
      // The browser would put the focus into its own search.
      event.preventDefault();
      if (document.querySelector(dialog) === null) setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return { isOpen, open: useCallback(() => setOpen(true), []), close: useCallback(() => setOpen(false), []) };
}
