import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react';

type Step = 'focus' | 'open';

/** The list of results that is shown, and the words that it belongs to. */
let shown: { words: string; list: HTMLElement } | null = null;
/** What a key asked for before its results were there. */
let asked: { words: string; step: Step } | null = null;

function follow(): void {
  if (asked === null || shown?.words !== asked.words) return;
  const link = shown.list.querySelector('a');
  const { step } = asked;
  asked = null;
  link?.focus();
  if (step === 'open') link?.click();
}

/**
 * Goes to the first result of a search, as soon as it is shown.
 *
 * - FIND-10 From the search field, the arrow down goes to the results, in which the arrows go on, and Enter opens the first
 *   one. On a touch screen Enter only closes the keyboard.
 */
export function goToFirstResult(words: string, step: Step): void {
  asked = words.trim() === '' ? null : { words: words.trim(), step };
  follow();
}

/** Forgets what was asked for: the words have changed. */
export function forgetFirstResult(): void {
  asked = null;
}

/** The ref of the list of results for `words`. */
export function useFirstResult(words: string): RefObject<HTMLOListElement | null> {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const own = { words, list: element };
    shown = own;
    follow();
    return () => {
      if (shown === own) shown = null;
    };
  }, [words]);
  return list;
}

/** The arrows go from one link of a list to the next; up from the first one leads back to the search field. */
export function stepThroughResults(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const links = [...event.currentTarget.querySelectorAll('a')];
  const at = links.findIndex((link) => link === document.activeElement);
  if (at < 0) return;
  event.preventDefault();
  const next = at + (event.key === 'ArrowDown' ? 1 : -1);
  const field = document.querySelector<HTMLElement>('header input[type="search"]');
  (next < 0 ? field : links[Math.min(next, links.length - 1)])?.focus();
}
