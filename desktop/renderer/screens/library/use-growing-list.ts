import { useEffect, useRef, useState } from 'react';

/** How many items are drawn at once; two screens of cards on a large window. */
const batch = 48;

/**
 * Draws a long list in batches: the next one when its end comes near the window. `end` belongs on an element after the
 * list.
 */
export function useGrowingList<T>(items: readonly T[]): {
  shown: readonly T[];
  end: React.RefObject<HTMLDivElement | null>;
} {
  const [count, setCount] = useState(batch);
  const end = useRef<HTMLDivElement>(null);
  const hasMore = count < items.length;
  useEffect(() => {
    const element = end.current;
    if (!hasMore || !element) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setCount((now) => now + batch);
      },
      { rootMargin: '1200px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [hasMore, count]);
  return { shown: items.slice(0, count), end };
}
