import { useEffect, useRef } from 'react';

import type { Engine } from '#desktop/engine/engine.ts';

/** A part of a screen with typed text that the engine does not have yet. */
interface Holder {
  /** Passes the text to the engine. */
  handOver: () => void;
  /** Whether the engine could not store the text. */
  isStuck: () => boolean;
}

const holders = new Set<Holder>();

/** What is not stored by then is not only on its way, ms. */
const longestStore = 1000;

/**
 * Calls `handOver` when typed text must reach the engine: when the component or the page is left or hidden, and before the
 * window is closed.
 */
export function useHandOver(handOver: () => void, isStuck: () => boolean = () => false): void {
  const latest = useRef({ handOver, isStuck });
  useEffect(() => {
    latest.current = { handOver, isStuck };
  });
  useEffect(() => {
    const holder = {
      handOver: () => latest.current.handOver(),
      isStuck: () => latest.current.isStuck(),
    };
    holders.add(holder);
    return () => {
      holders.delete(holder);
      holder.handOver();
    };
  }, []);
}

/** Lets all screens pass what was typed to the engine. */
export function handOverAll(): void {
  for (const holder of holders) holder.handOver();
}

/** Hands typed text over when the page is hidden or left. In a browser that may be its end. */
export function handOverWhenHidden(): void {
  window.addEventListener('pagehide', handOverAll);
  document.addEventListener('visibilitychange', handOverAll);
}

/** Lets a browser ask before it closes a page with text that could not be stored. */
export function askBeforeLoss({ views }: Engine): void {
  let since: number | null = null;
  views.holdsUnstored().subscribe(
    (holds) => (since = holds ? (since ?? performance.now()) : null),
    // A view that fails says nothing about what is stored.
    () => undefined,
  );
  window.addEventListener('beforeunload', (event) => {
    const isStuck = [...holders].some((holder) => holder.isStuck());
    handOverAll();
    if (isStuck || (since !== null && performance.now() - since > longestStore)) event.preventDefault();
  });
}
