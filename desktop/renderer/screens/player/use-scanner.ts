import { type RefObject, useEffect, useRef } from 'react';

/** The longest time between two keys of a scanner, ms. People are slower. */
const keyMs = 50;
/** The shortest code that is taken. Fewer keys might be a person's. */
const shortest = 4;

const editable = 'input, textarea, select, [contenteditable="true"], [role="dialog"]';

/** The fields that take a scan, in the order of the page, with what each does with a code. */
const waiting = new Map<HTMLElement, (code: string) => void>();

/** Keys that arrived as fast as those of a scanner. */
let keys: { text: string; at: number } = { text: '', at: 0 };
/** The first key, which is held back until it is clear whether a scan follows. */
let held: ReturnType<typeof setTimeout> | undefined;

/**
 * Collects fast keys that end with Enter while no field has the focus. They fill in the first field that waits, and are
 * kept from everything else, such as the keys of the player. A key that nothing follows is given back. A code may contain
 * spaces, but does not begin with one, so that the space bar keeps its meaning.
 */
function onKey(event: KeyboardEvent): void {
  // Given back below.
  if (!event.isTrusted) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof Element && event.target.closest(editable) !== null) return;
  const text = event.timeStamp - keys.at <= keyMs ? keys.text : '';
  if (event.key === 'Enter') {
    keys = { text: '', at: 0 };
    const [first] = [...waiting].toSorted(([a], [b]) =>
      a.compareDocumentPosition(b) === Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
    );
    if (text.length < shortest || first === undefined) return;
    clearTimeout(held);
    event.preventDefault();
    event.stopImmediatePropagation();
    first[1](text);
  } else if (event.key.length === 1 && (event.key !== ' ' || text !== '')) {
    keys = { text: text + event.key, at: event.timeStamp };
    event.preventDefault();
    event.stopImmediatePropagation();
    clearTimeout(held);
    const { target, key } = event;
    if (text === '')
      held = setTimeout(
        () => target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })),
        keyMs,
      );
  }
}

/** Takes the code of a scanner into a field while `isWaiting`. A scan into the focused field needs nothing. */
export function useScanner(
  box: RefObject<HTMLElement | null>,
  isWaiting: boolean,
  take: (code: string) => void,
): void {
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => {
    const element = box.current;
    if (element === null || !isWaiting) return undefined;
    if (waiting.size === 0) document.addEventListener('keydown', onKey, { capture: true });
    waiting.set(element, (code) => latest.current(code));
    return () => {
      waiting.delete(element);
      if (waiting.size === 0) document.removeEventListener('keydown', onKey, { capture: true });
    };
  }, [box, isWaiting]);
}
