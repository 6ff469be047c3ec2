/** Time for the app itself to move the focus, ms: React Aria returns it one frame after a dialog has closed. */
const patience = 60;

/**
 * Watches the page from now on. Returns a function that ends it.
 *
 * - KEYS-2 When what has the focus disappears or is disabled after a key, the nearest remaining part of the page around it
 *   gets the focus, so that Tab and screen readers continue there. After a click the page is left alone.
 * - KEYS-4 A field of several lines that gets the focus by a key is scrolled into view as a whole: browsers show only the
 *   line of the caret.
 */
export function keepFocus(): () => void {
  /** What had the focus last, with all that is around it; the same behind menus and dialogs. */
  let path: Element[] = [];
  let behind: Element[] = [];
  let isByKey = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const note = ({ target }: FocusEvent): void => {
    path = around(target);
    if (path.at(-1)?.id === 'root') behind = path;
    if (isByKey && target instanceof HTMLTextAreaElement) target.scrollIntoView({ block: 'nearest' });
  };
  const press = ({ type }: Event): void => {
    isByKey = type === 'keydown';
  };
  const mend = (): void => {
    if (!isByKey || document.activeElement !== document.body) return;
    const [focused] = path;
    // The person has left it by a click.
    if (focused === undefined || canHold(focused)) return;
    const place = [...path, ...behind].find(
      (one) => one instanceof HTMLElement && canHold(one) && isInView(one),
    );
    if (place instanceof HTMLElement) focusPlace(place);
  };
  const watcher = new MutationObserver(() => {
    if (document.activeElement !== document.body) return;
    clearTimeout(timer);
    timer = setTimeout(mend, patience);
  });
  document.addEventListener('focusin', note);
  document.addEventListener('keydown', press, true);
  document.addEventListener('pointerdown', press, true);
  watcher.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled', 'style'] });
  return () => {
    clearTimeout(timer);
    watcher.disconnect();
    document.removeEventListener('focusin', note);
    document.removeEventListener('keydown', press, true);
    document.removeEventListener('pointerdown', press, true);
  };
}

/** An element and all around it, up to the child of the body. */
function around(target: EventTarget | null): Element[] {
  const found: Element[] = [];
  let one = target instanceof Element ? target : null;
  for (; one !== null && one !== document.body; one = one.parentElement) found.push(one);
  return found;
}

function canHold(element: Element): boolean {
  return (
    element.isConnected &&
    element.checkVisibility() &&
    element.getBoundingClientRect().height > 0 &&
    !element.matches(':disabled')
  );
}

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top < innerHeight && bottom > 0;
}

/** Focuses a part of the page that cannot have the focus otherwise. */
function focusPlace(place: HTMLElement): void {
  if (place.tabIndex === -1 && !place.hasAttribute('tabindex')) {
    place.tabIndex = -1;
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true });
  }
  place.focus({ preventScroll: true });
}
