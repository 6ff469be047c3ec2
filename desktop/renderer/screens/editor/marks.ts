/** A mark of wiki text that the toolbar sets. */
export const marks = ['bold', 'italic', 'code', 'link', 'list'] as const;
export type Mark = (typeof marks)[number];

/** A text with its selection. */
export interface Selected {
  words: string;
  start: number;
  end: number;
}

const around: Readonly<Record<'bold' | 'italic' | 'code', readonly [string, string]>> = {
  bold: ["'''", "'''"],
  italic: ["''", "''"],
  code: ['``', '``'],
};

/** The text with the mark set for its selection, or taken away if the selection has it. */
export function withMark(selected: Selected, mark: Mark): Selected {
  if (mark === 'link') return withLink(selected);
  return mark === 'list' ? withList(selected) : wrapped(selected, ...around[mark]);
}

function wrapped({ words, start, end }: Selected, open: string, close: string): Selected {
  const before = words.slice(0, start);
  const inner = words.slice(start, end);
  const after = words.slice(end);
  if (before.endsWith(open) && after.startsWith(close) && !isLonger(before, open))
    return {
      words: before.slice(0, -open.length) + inner + after.slice(close.length),
      start: start - open.length,
      end: end - open.length,
    };
  return {
    words: before + open + inner + close + after,
    start: start + open.length,
    end: end + open.length,
  };
}

/** Whether the sign before the selection belongs to another mark: the two quotes of italic within the three of bold. */
function isLonger(before: string, open: string): boolean {
  const quotes = /'*$/.exec(before)?.[0].length ?? 0;
  return open === "''" && quotes === 3;
}

/** The words become those of a link, and the address is selected, so that it can be typed or pasted. */
function withLink({ words, start, end }: Selected): Selected {
  const inner = words.slice(start, end);
  const isAddress = /^https?:\/\/\S+$/.test(inner);
  const [address, label] = isAddress ? [inner, ''] : ['https://', inner];
  const link = `[${address}|${label}]`;
  const from = isAddress ? start + address.length + 2 : start + 1;
  const to = isAddress ? from : from + address.length;
  return { words: words.slice(0, start) + link + words.slice(end), start: from, end: to };
}

/** The selected lines become entries of a list, or plain lines if all of them are entries. */
function withList({ words, start, end }: Selected): Selected {
  const from = words.lastIndexOf('\n', start - 1) + 1;
  const next = words.indexOf('\n', end);
  const to = next < 0 ? words.length : next;
  const lines = words.slice(from, to).split('\n');
  const isList = lines.every((line) => line.startsWith('* '));
  const changed = lines.map((line) => (isList ? line.slice(2) : line.startsWith('* ') ? line : `* ${line}`));
  const text = changed.join('\n');
  return { words: words.slice(0, from) + text + words.slice(to), start: from, end: from + text.length };
}
