import { useRef } from 'react';

/** The longest time between two keys of a scanner, ms. People are slower. */
const keyMs = 50;
/** The shortest code that is taken. Fewer keys might be a person's. */
const shortest = 4;

/**
 * Tells the keys of a scanner from those of a person. The returned function takes every key, and at an Enter that ends a
 * scan it returns the code.
 */
export function useFastKeys(): (event: KeyboardEvent) => string | null {
  const keys = useRef({ text: '', at: -Infinity });
  return ({ key, timeStamp, ctrlKey, metaKey, altKey }) => {
    if (ctrlKey || metaKey || altKey) return null;
    const text = timeStamp - keys.current.at <= keyMs ? keys.current.text : '';
    if (key.length === 1) keys.current = { text: text + key, at: timeStamp };
    if (key !== 'Enter') return null;
    keys.current = { text: '', at: -Infinity };
    return text.length >= shortest ? text : null;
  };
}
