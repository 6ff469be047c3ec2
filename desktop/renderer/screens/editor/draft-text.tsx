import type { GuideEditOperation } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { type ContentPath, pathId } from '#shared/rules/guide-content.ts';

import { placeAttribute } from './problems.ts';
import { useEditor, useProblem } from './use-editor.ts';
import { useTyped } from './use-typed.ts';

interface DraftTextProps {
  label: string;
  /** The place in the guide; its problems are shown at this field. */
  place: ContentPath;
  stored: string;
  toEdit: (words: string) => GuideEditOperation;
  hint?: string;
  placeholder?: string;
  kind?: 'text' | 'url' | 'long';
  /** Maximum number of characters, shown as a counter. */
  limit?: number;
  isRequired?: boolean;
  /** The field has the focus when it appears. */
  autoFocus?: boolean;
  /** An error besides exceeded limits. */
  error?: string | undefined;
}

/** A text field of the draft. */
export function DraftText({ place, stored, toEdit, limit, hint, error, ...props }: DraftTextProps) {
  const typed = useTyped({ stored, toEdit });
  const { noteLeft } = useEditor();
  const problem = useProblem(place);
  const used = limit === undefined ? '' : text.editor.counter(Array.from(typed.value).length, limit);
  return (
    <div {...{ [placeAttribute]: pathId(place) }}>
      <TextField
        {...props}
        value={typed.value}
        onChange={typed.change}
        onLeave={() => {
          typed.flush();
          noteLeft(pathId(place));
        }}
        hint={joined(hint, used)}
        error={problem === undefined ? error : joined(problem, used)}
      />
    </div>
  );
}

function joined(...parts: (string | undefined)[]): string | undefined {
  const words = parts.filter((part) => part !== undefined && part !== '');
  return words.length === 0 ? undefined : words.join(' · ');
}

interface DraftNumberProps {
  label: string;
  /** Whole number, in the displayed unit. */
  stored: number;
  toEdit: (value: number) => GuideEditOperation;
  unit?: string;
  least: number;
  /** Shown if the text is not a whole number of at least `least`. */
  error: string;
}

/** A field of the draft for whole numbers. Only digits are accepted; 0 is shown as an empty field. */
export function DraftNumber({ label, stored, toEdit, unit, least, error }: DraftNumberProps) {
  const shown = stored === 0 ? '' : String(stored);
  const read = (words: string): number | null => {
    if (!/^\d{0,7}$/.test(words.trim())) return null;
    const value = Number(words);
    return value < least ? null : value;
  };
  const typed = useTyped({
    stored: shown,
    toEdit: (words) => {
      const value = read(words);
      return value === null ? null : toEdit(value);
    },
  });
  const isWrong = typed.value !== shown && read(typed.value) === null;
  return (
    <TextField
      label={label}
      kind="numeric"
      value={typed.value}
      onChange={typed.change}
      onLeave={typed.flush}
      suffix={unit}
      error={isWrong ? error : undefined}
    />
  );
}
