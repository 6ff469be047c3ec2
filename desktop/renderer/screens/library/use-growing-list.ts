import { useEffect, useRef, useState } from 'react';

/** Number of items that are added at a time: about two screens of cards on a large window. */
const batch = 48;

/**
 * Renders a long list in batches. The next batch is added when the end of the list comes near the viewport. `end`:
 * ref of an element after the list.
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
