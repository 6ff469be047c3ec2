import { useEffect, useRef, useState } from 'react';

import type { GuideEditOperation } from '#desktop/engine/api/records.ts';

import { useEditor, useLatest } from './use-editor.ts';

/** Typed text reaches the draft after at most this time, ms. */
const restMs = 40;

interface TypedOptions {
  /** The text in the draft. */
  stored: string;
  /** The edit that sets this text; null if the text is not a valid value. */
  toEdit: (words: string) => GuideEditOperation | null;
}

export interface Typed {
  value: string;
  change: (words: string) => void;
  /** Sends the text immediately. */
  flush: () => void;
}

interface Words {
  words: string;
  /** Not sent yet, or being applied. */
  isWaiting: boolean;
  /** The text of the draft when the typed text was sent. The typed text is shown until the draft changes. */
  since: { stored: string; historyCount: number };
}

/**
 * State of a text field of the draft. The field shows the typed text until the draft has a new value, so that the
 * round trip to the draft never moves the caret or loses letters.
 */
export function useTyped({ stored, toEdit }: TypedOptions): Typed {
  const { edit, pendingEdits, historyCount } = useEditor();
  const [typed, setTyped] = useState<Words | null>(null);
  const waiting = useRef<{ words: string; from: string; timer: ReturnType<typeof setTimeout> } | null>(null);
  const latest = useLatest({ since: { stored, historyCount }, toEdit, edit });

  const [flush] = useState(() => {
    const send = () => {
      const now = waiting.current;
      if (now === null) return;
      waiting.current = null;
      clearTimeout(now.timer);
      pendingEdits.release(send);
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
    typed === null ||
    (!typed.isWaiting && (typed.since.stored !== stored || typed.since.historyCount !== historyCount));
  const value = isOld ? stored : typed.words;
  const change = (words: string) => {
    setTyped({ words, isWaiting: true, since: { stored, historyCount } });
    if (waiting.current !== null) waiting.current.words = words;
    else {
      waiting.current = { words, from: value, timer: setTimeout(flush, restMs) };
      pendingEdits.hold(flush);
    }
  };
  return { value, change, flush };
}

/** Adds the previously shown text to an edit of a text. */
function changing(edit: GuideEditOperation, from: string): GuideEditOperation {
  const isText = edit.op === 'setText' || edit.op === 'setStepTitle' || edit.op === 'setLineText';
  return isText ? { ...edit, from } : edit;
}
