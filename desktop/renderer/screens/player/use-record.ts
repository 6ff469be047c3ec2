import { useEffect, useEffectEvent, useRef, useState } from 'react';

import type { FormFieldView, RecordedValue, WorkOrder } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { useHandOver } from '#desktop/renderer/hand-over.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDigits } from '#desktop/renderer/text/format.ts';
import { noWords, typedWords } from '#desktop/renderer/typed-forms.ts';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useFormDraftSoon, useFormId } from '#desktop/renderer/use-form-draft.ts';
import type { FormField } from '#shared/model/step-form.ts';

import { readFieldValue } from './read-field-value.ts';

/** Delay between the last key and recording the value, ms. */
const restMs = 150;
/** Delay before a value that could not be stored is recorded again, ms. */
const retryMs = 5000;

/**
 * State of the last entered value: recorded, being recorded, refused because it is not a value of the field's type, or not stored,
 * for example on a full disk.
 */
export type EntryState = 'saved' | 'saving' | 'refused' | 'failed';

export interface RecordProps {
  field: FormFieldView;
  /** The work order that records values; null: none is running. */
  order: WorkOrder | null;
  /** The person's order, also while it is paused; '': none. */
  entryid: string;
  recorded: RecordedValue | null;
  /** Called when the state of the entered value changes. */
  onSaved: (state: EntryState) => void;
}

/**
 * State of a field while a person enters a value. What is not a value of the field's type stays in the field and is not
 * recorded. A number out of limits is recorded. Leaving the field or the step records immediately. A value that cannot be
 * stored stays in the field, and is recorded as soon as that is possible. What is not recorded comes back when the person
 * does.
 */
export function useRecord({ field, order, entryid, recorded, onSaved }: RecordProps) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const unrecorded = useFormDraftSoon({
    id: useFormId('value', entryid, field.field_guid),
    schema: typedWords,
    start: noWords,
  });
  const [typed, setTyped] = useState<string | null>(null);
  const draft = typed ?? unrecorded.text.words;
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; write: () => void } | null>(null);
  const hasFailed = useRef(false);
  /** Number of the last entered value. */
  const last = useRef(0);
  const stored = recorded?.value ?? '';
  const checked = readFieldValue(field, draft ?? '');
  const error = draft !== null && 'message' in checked ? checked.message : undefined;

  const flush = () => {
    const now = waiting.current;
    waiting.current = null;
    if (!now) return;
    clearTimeout(now.timer);
    now.write();
  };

  const enter = (next: string, isWhole: boolean) => {
    if (waiting.current) clearTimeout(waiting.current.timer);
    waiting.current = null;
    last.current += 1;
    const number = last.current;
    const value = readFieldValue(field, next);
    if (order === null) return onSaved('saved');
    if ('message' in value) {
      unrecorded.replace({ words: next });
      return onSaved('refused');
    }
    onSaved('saving');
    const record = async (isRetry: boolean) => {
      try {
        await actions.recordValue(order.entryid, field, value.value);
        // Text that was typed meanwhile stays, and is not called saved.
        if (number !== last.current) return;
        setTyped(null);
        unrecorded.clear();
        hasFailed.current = false;
        onSaved('saved');
      } catch (error) {
        // A later value replaces this one, also one that is being recorded.
        if (number !== last.current) return;
        hasFailed.current = true;
        unrecorded.replace({ words: next });
        onSaved('failed');
        waiting.current = { timer: setTimeout(flush, retryMs), write: () => act(() => record(true)) };
        // The person has been told already.
        if (!isRetry) throw error;
      }
    };
    waiting.current = {
      timer: setTimeout(flush, isWhole ? 0 : restMs),
      write: () => act(() => record(false)),
    };
  };

  useHandOver(flush, () => hasFailed.current);
  const change = (next: string, isWhole: boolean) => {
    setTyped(next);
    enter(next, isWhole);
  };
  const isBack = order !== null && unrecorded.restoredFrom !== null;
  const enterAgain = useEffectEvent(() => {
    if (unrecorded.text.words !== null) enter(unrecorded.text.words, true);
  });
  useEffect(() => {
    if (isBack) enterAgain();
  }, [isBack]);
  /** The limit that the recorded value breaks. What is being typed is not judged yet. */
  const broken = draft === null ? (recorded?.broken ?? null) : null;
  return { shown: draft ?? stored, draft, error, broken, change, flush };
}

/** The example of a field, marked as an example: a bare "2.5" would look like a recorded value. */
export function exampleOf({ field_type, placeholder }: FormField): string {
  if (placeholder === '') return '';
  const isNumber = field_type === 'Numeric Input' && /^-?\d+\.\d+$/.test(placeholder);
  return text.player.example(isNumber ? formatDigits(placeholder) : placeholder);
}
