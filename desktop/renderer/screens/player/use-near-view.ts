import { useEffect, useRef, useState, type RefObject } from 'react';

/** How far outside the window an element counts as near. */
const margin = '1500px';

/** Whether an element is, or ever was, in the window or near it. */
export function useNearView<T extends Element>(): { place: RefObject<T | null>; isNear: boolean } {
  const place = useRef<T>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (element === null || isNear) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      // The page scrolls in an element of its own on large windows, and as a whole on low ones.
      { rootMargin: margin, scrollMargin: margin },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isNear]);
  return { place, isNear };
}
