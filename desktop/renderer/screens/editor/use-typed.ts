import { useEffect, useRef, useState } from 'react';

import type { GuideEditOperation } from '#desktop/engine/api/records.ts';

import { useEditor, useLatest } from './use-editor.ts';

/** Typing reaches the draft after this long at most, in ms. */
const restMs = 120;

interface TypedOptions {
  /** What the draft says. */
  stored: string;
  /** The edit that says these words; null: they are no value (yet). */
  toEdit: (words: string) => GuideEditOperation | null;
}

export interface Typed {
  value: string;
  change: (words: string) => void;
  /** Hands over at once. */
  flush: () => void;
}

interface Words {
  words: string;
  /** Not yet handed over, or on their way. */
  isWaiting: boolean;
  /** What the draft said when they were handed over: they are shown until it says something else. */
  since: { stored: string; turn: number };
}

/**
 * Words while a person types them. The field shows what was typed until the draft says something new, so that
 * values on their way to the draft and back never move the caret or swallow letters.
 */
export function useTyped({ stored, toEdit }: TypedOptions): Typed {
  const { edit, userSession, turn } = useEditor();
  const [typed, setTyped] = useState<Words | null>(null);
  const waiting = useRef<{ words: string; from: string; timer: ReturnType<typeof setTimeout> } | null>(null);
  const latest = useLatest({ since: { stored, turn }, toEdit, edit });

  const [flush] = useState(() => {
    const send = () => {
      const now = waiting.current;
      if (now === null) return;
      waiting.current = null;
      clearTimeout(now.timer);
      userSession.release(send);
      const { since, toEdit: editOf, edit: handOver } = latest.current;
      const operation = editOf(now.words);
      const done = operation === null ? Promise.resolve() : handOver(changing(operation, now.from));
      void done.then(() =>
        setTyped((shown) => (shown?.words === now.words ? { ...shown, isWaiting: false, since } : shown)),
      );
    };
    return send;
  });
  useEffect(() => flush, [flush]);

  const isOld =
    typed === null || (!typed.isWaiting && (typed.since.stored !== stored || typed.since.turn !== turn));
  const value = isOld ? stored : typed.words;
  const change = (words: string) => {
    setTyped({ words, isWaiting: true, since: { stored, turn } });
    if (waiting.current !== null) waiting.current.words = words;
    else {
      waiting.current = { words, from: value, timer: setTimeout(flush, restMs) };
      userSession.hold(flush);
    }
  };
  return { value, change, flush };
}

/** An edit of a text with the words that the field showed before. */
function changing(edit: GuideEditOperation, from: string): GuideEditOperation {
  const isText = edit.op === 'setText' || edit.op === 'setStepTitle' || edit.op === 'setLineText';
  return isText ? { ...edit, from } : edit;
}
