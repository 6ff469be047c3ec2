import { Bold, Code, Italic, Link, List } from 'lucide-react';
import { useEffectEvent, useLayoutEffect, useRef, type KeyboardEvent, type RefObject } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { Toolbar } from '#desktop/renderer/ui/toolbar.tsx';

import { type Mark, withMark } from './marks.ts';

const icons = { bold: <Bold />, italic: <Italic />, code: <Code />, link: <Link />, list: <List /> };

interface MarksOptions {
  /** The field, or an element around it. */
  around: RefObject<HTMLElement | null>;
  value: string;
  onChange: (words: string) => void;
}

export interface Marks {
  set: (mark: Mark) => void;
  /** Ctrl or Cmd with B, I or K. */
  onKeyDown: (event: KeyboardEvent) => void;
}

const keys: Readonly<Record<string, Mark>> = { b: 'bold', i: 'italic', k: 'link' };

/** Sets marks of wiki text in a field: the selection stays on the same words. */
export function useMarks({ around, value, onChange }: MarksOptions): Marks {
  const wanted = useRef<{ start: number; end: number } | null>(null);
  const areaOf = () => {
    const element = around.current;
    return element instanceof HTMLTextAreaElement ? element : (element?.querySelector('textarea') ?? null);
  };
  const select = useEffectEvent(() => {
    const selection = wanted.current;
    if (selection === null) return;
    wanted.current = null;
    const area = areaOf();
    area?.focus();
    area?.setSelectionRange(selection.start, selection.end);
  });
  useLayoutEffect(() => select(), [value]);
  const set = (mark: Mark) => {
    const area = areaOf();
    if (area === null) return;
    const { selectionStart, selectionEnd } = area;
    const { words, start, end } = withMark({ words: value, start: selectionStart, end: selectionEnd }, mark);
    wanted.current = { start, end };
    onChange(words);
  };
  return {
    set,
    onKeyDown: (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      const mark = keys[event.key.toLowerCase()];
      if (mark === undefined) return;
      event.preventDefault();
      // The search and other shortcuts of the app are not meant.
      event.stopPropagation();
      set(mark);
    },
  };
}

/** Buttons that set marks. */
export function MarksToolbar({
  label,
  marks,
  set,
}: {
  label: string;
  marks: readonly Mark[];
  set: Marks['set'];
}) {
  return (
    <Toolbar label={label}>
      {marks.map((mark) => (
        <IconButton key={mark} label={text.editor.marks[mark]} icon={icons[mark]} onPress={() => set(mark)} />
      ))}
    </Toolbar>
  );
}
