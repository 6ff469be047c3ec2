/** A window whose address is known a moment after it was opened. */
export interface LaterWindow {
  /** Shows the address. */
  go: (url: string) => void;
  close: () => void;
}

/**
 * Opens a window at once, since browsers let only what a person just pressed open one. Where none opens (the desktop
 * app, whose system browser takes addresses alone), the address is opened when it is known.
 */
export function openLater(): LaterWindow {
  const target = window.open('about:blank', '_blank');
  return {
    go(url) {
      if (target === null) {
        window.open(url, '_blank', 'noopener,noreferrer');
        return;
      }
      target.opener = null;
      target.location.href = url;
    },
    close: () => target?.close(),
  };
}
