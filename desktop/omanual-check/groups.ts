import { groupedBy } from '#shared/grouped-by.ts';
import type { CheckLine } from '#shared/formats/omanual/check.ts';

import type { Problems } from './problems.ts';

/** The problems of one kind. `what`, `toDo`: '' for a code without words. */
export interface Group {
  rank: CheckLine['rank'];
  code: string;
  what: string;
  toDo: string;
  /** The sentences about it, each with its places. */
  sentences: { message: string; lines: CheckLine[] }[];
}

/** The problems by kind, errors first, otherwise in the order in which they were found. */
export function groupsOf(lines: readonly CheckLine[], problems: Problems): Group[] {
  const groups = [...groupedBy(lines, ({ rank, code }) => `${rank} ${code}`).values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const [what, toDo] = problems[wordsOf(first)] ?? ['', ''];
    return [{ rank: first.rank, code: first.code, what, toDo, sentences: sentencesOf(same) }];
  });
  return groups.toSorted((a, b) => Number(b.rank === 'error') - Number(a.rank === 'error'));
}

/** Where the words of a problem are. One code means two things: a link in the package, or in a text that was left out. */
function wordsOf({ code, rank }: CheckLine): string {
  return code === 'link' && rank === 'warning' ? 'link-dropped' : code;
}

function sentencesOf(lines: readonly CheckLine[]): Group['sentences'] {
  return [...groupedBy(lines, ({ message }) => message)].map(([message, same]) => ({ message, lines: same }));
}
