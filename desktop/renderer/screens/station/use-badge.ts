import { useEffect, useRef } from 'react';

import { badgeNumberLimit } from '#shared/rules/stations.ts';

/** The longest time between two keys of a reader, ms. People are slower. */
const keyMs = 60;
/** No two keys of a person follow each other within this time, ms. */
const pairMs = 30;
/** The shortest number that is taken. Fewer keys might be a person's. */
const shortest = 3;
/** After this time without another key, a scan without an Enter was cut, ms. */
const cutMs = 200;
/** What a reader sends within this time after a cut may be the rest of it, ms. */
const restMs = 2000;

/** Removes what a reader typed into a field on its way. */
function takeBack(field: EventTarget | null, text: string): void {
  if (text === '' || !(field instanceof HTMLInputElement) || !field.value.endsWith(text)) return;
  // React notices only what the setter of the browser did, and has one of its own on the field.
  Reflect.set(HTMLInputElement.prototype, 'value', field.value.slice(0, -text.length), field);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

interface BadgeHandlers {
  /** Gets the number of a badge. */
  take: (badge: string) => void;
  /** Gets the other keys, those of a person. */
  key?: (event: KeyboardEvent) => void;
  /** Called when a reader types: what its first key did is to be undone. */
  onReader?: () => void;
}

/** Keys that followed each other as those of a reader do. */
interface Read {
  text: string;
  /** What of it is in the field that has the focus. */
  inField: string;
  /** Of the last key, ms as in `Event.timeStamp`. */
  at: number;
  /** Too fast for a person. */
  isReader: boolean;
}

const nothing: Read = { text: '', inField: '', at: -Infinity, isReader: false };

/**
 * Takes the number of a badge from a reader that acts as a keyboard, whatever has the focus: fast keys that end with Enter.
 * Nothing of it stays in a field, and what is longer than a number is not taken. Nor are the halves of a scan that was cut,
 * unless it is scanned again from its beginning.
 */
export function useBadge(handlers: BadgeHandlers): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    let read = nothing;
    let cut: Read | null = null;
    let ending: ReturnType<typeof setTimeout> | undefined;
    const cutOff = (field: EventTarget | null): void => {
      clearTimeout(ending);
      if (!read.isReader) return;
      cut = read;
      takeBack(field, read.inField);
      // Its other keys may only be late on a busy device.
      read = { ...read, inField: '' };
    };
    const isRest = (text: string, at: number): boolean =>
      cut !== null && at - cut.at <= restMs && !text.startsWith(cut.text);
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const gap = event.timeStamp - read.at;
      if (gap < 0 || gap > keyMs) {
        cutOff(event.target);
        read = nothing;
      }
      const { text } = read;
      const isFast = read.isReader || text.length >= shortest || (text !== '' && gap <= pairMs);
      if (event.key === 'Enter' && isFast) {
        clearTimeout(ending);
        event.preventDefault();
        event.stopImmediatePropagation();
        takeBack(event.target, read.inField);
        latest.current.onReader?.();
        if (text.length >= shortest && text.length <= badgeNumberLimit && !isRest(text, event.timeStamp))
          latest.current.take(text);
        [read, cut] = [nothing, null];
        return;
      }
      if (event.key.length === 1) {
        read = {
          text: text + event.key,
          inField: read.inField + event.key,
          at: event.timeStamp,
          isReader: isFast,
        };
      }
      if (!read.isReader) {
        latest.current.key?.(event);
        return;
      }
      latest.current.onReader?.();
      clearTimeout(ending);
      const { target } = event;
      ending = setTimeout(() => cutOff(target), cutMs);
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => {
      clearTimeout(ending);
      document.removeEventListener('keydown', onKey, { capture: true });
    };
  }, []);
}
