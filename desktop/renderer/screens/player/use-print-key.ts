import { useEffect, useEffectEvent } from 'react';

/** Calls `print` instead of the browser's own print command when somebody presses Ctrl+P, or ⌘P on a Mac. */
export function usePrintKey(print: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isPrint = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'p';
    // With Shift, browsers open a command of their own.
    if (!isPrint || event.shiftKey || event.defaultPrevented) return;
    event.preventDefault();
    print();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
