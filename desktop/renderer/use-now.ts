import { useEffect, useState } from 'react';

/** The present moment, renewed every `intervalMs`: for words such as "2 minutes ago". */
export function useNow(intervalMs = 15_000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const id = setInterval(() => setNow(Date.now()), intervalMs);
    return () => clearInterval(id);
  }, [intervalMs]);
  return now;
}
