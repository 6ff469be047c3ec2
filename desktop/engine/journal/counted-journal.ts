import { overlaid } from '../platform/overlaid.ts';
import type { Journal } from './journal.ts';

/** The same journal, and how often something was saved in it through this object. */
export function countedJournal(journal: Journal): { journal: Journal; saves: () => number } {
  let saves = 0;
  const append: Journal['append'] = (...args) => {
    saves += 1;
    return journal.append(...args);
  };
  return { journal: overlaid(journal, { append }), saves: () => saves };
}
