import { ArrowDown, ArrowUp, Indent, Outdent, X } from 'lucide-react';
import { Suspense, useEffect, useId, useMemo, useRef, type KeyboardEvent, type RefObject } from 'react';
import { TextArea } from 'react-aria-components';

import { text } from '#desktop/renderer/text/en.ts';
import { isColourBullet } from '#shared/rules/bullet-shapes.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { RichHtml } from '#desktop/renderer/ui/rich-html.tsx';
import { Toolbar } from '#desktop/renderer/ui/toolbar.tsx';
import { type LineContent, type StepContent, pathId } from '#shared/rules/guide-content.ts';
import { guideLimits } from '#shared/rules/guide-limits.ts';
import { renderLine } from '#shared/formats/wikitext/html.ts';

import { BulletChooser } from './bullet-chooser.tsx';
import { MarksToolbar, useMarks } from './marks-toolbar.tsx';
import { placeAttribute } from './problems.ts';
import styles from './step-lines.module.css';
import { useDraftWiki } from './wiki-text.tsx';
import { useEditor, useProblem } from './use-editor.ts';
import { useTyped, type Typed } from './use-typed.ts';

/** Operations on whole lines. Each of them first flushes what is being typed. */
export interface LineMoves {
  /** Adds a line after another one (null: at the top). Returns false if the step is full. */
  insertAfter: (after: string | null, words: string) => boolean;
  /** Returns the id of the line that gets the caret. */
  remove: (id: string) => string | null;
  moveBy: (id: string, by: 1 | -1) => void;
  indentBy: (id: string, by: 1 | -1) => void;
}

interface LineEditorProps {
  step: StepContent;
  line: LineContent;
  index: number;
  moves: LineMoves;
  caret: CaretRequest;
  isCurrent: boolean;
  onCurrent: () => void;
}

/** Marks of one line. */
const lineMarks = ['bold', 'italic', 'link'] as const;

/** One line: bullet and text, and the tools if it is the current line. */
export function LineEditor({ step, line, index, moves, caret, isCurrent, onCurrent }: LineEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const typed = useTyped({
    stored: line.text_raw,
    toEdit: (value) => ({ op: 'setLineText', step: step.key, line: line.id, value }),
  });
  const { noteLeft } = useEditor();
  const place = { step: step.key, line: line.id };
  const wording = useProblem({ ...place, field: 'text_raw' });
  const level = useProblem({ ...place, field: 'level' });
  // Problems of the draft are outdated while newer text is on its way to it.
  const isAhead = typed.value !== line.text_raw;
  const problem = isAhead ? level : (wording ?? level);
  const note = useId();
  useCaret(area, line.id, index, caret);
  const onKeyDown = useLineKeys({ line, typed, moves });
  const marking = useMarks({ around: area, value: typed.value, onChange: typed.change });
  const isBlock = !isColourBullet(line.bullet);
  const used = Array.from(typed.value).length;
  return (
    <li
      className={classNames(styles, 'line', `level-${Math.min(line.level, 3)}`, isCurrent && 'current')}
      {...{ [placeAttribute]: pathId({ ...place, field: 'text_raw' }) }}
      onFocus={onCurrent}
    >
      <div
        className={classNames(
          styles,
          'row',
          isBlock && 'block',
          line.bullet,
          problem !== undefined && 'wrong',
        )}
      >
        <BulletChooser step={step} line={line} index={index} />
        <TextArea
          ref={area}
          className={classNames(styles, 'words')}
          aria-label={text.editor.line(index + 1)}
          aria-invalid={problem !== undefined}
          aria-describedby={note}
          placeholder={text.editor.linePlaceholder}
          data-line={line.id}
          rows={1}
          value={typed.value}
          onChange={(event) => typed.change(event.target.value.replaceAll(/\r?\n/g, ' '))}
          onBlur={() => {
            typed.flush();
            noteLeft(pathId({ ...place, field: 'text_raw' }));
          }}
          onKeyDown={(event) => {
            marking.onKeyDown(event);
            if (!event.defaultPrevented) onKeyDown(event);
          }}
        />
      </div>
      <div className={classNames(styles, 'notes')}>
        <p id={note} className={classNames(styles, 'problem')}>
          {problem}
        </p>
        {isCurrent && (
          // Loading the preview must not suspend the line, which has the caret.
          <Suspense fallback={null}>
            <LinePreview words={typed.value} />
          </Suspense>
        )}
      </div>
      {isCurrent && (
        <div className={classNames(styles, 'tools')}>
          <LineTools step={step} line={line} index={index} moves={moves} />
          <MarksToolbar
            label={text.editor.marksOf(text.editor.line(index + 1))}
            marks={lineMarks}
            set={marking.set}
          />
          <span className={classNames(styles, 'counter')}>
            {text.editor.counter(used, guideLimits.lineCharacters)}
          </span>
        </div>
      )}
    </li>
  );
}

/** Preview of the line, if it differs from the source text. */
function LinePreview({ words }: { words: string }) {
  const wiki = useDraftWiki();
  const html = useMemo(() => renderLine(words, wiki), [words, wiki]);
  if (!html.includes('<')) return null;
  return (
    <div className={classNames(styles, 'reads')}>
      <span className={classNames(styles, 'readsName')}>{text.editor.lineReads}</span>
      <RichHtml html={html} />
    </div>
  );
}

function LineTools({ step, line, index, moves }: Pick<LineEditorProps, 'step' | 'line' | 'index' | 'moves'>) {
  const above = step.lines[index - 1];
  const canIndent = above !== undefined && line.level < Math.min(guideLimits.lineLevel, above.level + 1);
  return (
    <Toolbar label={text.editor.lineTools(index + 1)}>
      <IconButton
        label={text.editor.outdent}
        icon={<Outdent />}
        isDisabled={line.level === 0}
        onPress={() => moves.indentBy(line.id, -1)}
      />
      <IconButton
        label={text.editor.indent}
        icon={<Indent />}
        isDisabled={!canIndent}
        onPress={() => moves.indentBy(line.id, 1)}
      />
      <IconButton
        label={text.editor.lineUp}
        icon={<ArrowUp />}
        isDisabled={index === 0}
        onPress={() => moves.moveBy(line.id, -1)}
      />
      <IconButton
        label={text.editor.lineDown}
        icon={<ArrowDown />}
        isDisabled={index === step.lines.length - 1}
        onPress={() => moves.moveBy(line.id, 1)}
      />
      <IconButton
        label={text.editor.removeLine}
        icon={<X />}
        onPress={() => focusLine(moves.remove(line.id))}
      />
    </Toolbar>
  );
}

/** Moves the caret into the line if that was requested. */
function useCaret(
  area: RefObject<HTMLTextAreaElement | null>,
  id: string,
  index: number,
  caret: CaretRequest,
): void {
  useEffect(() => {
    const request = caret.take(id);
    if (request === null) return;
    const isThere = document.activeElement === area.current;
    if (isThere) return;
    area.current?.focus();
    const end = area.current?.value.length ?? 0;
    const at = request === 'start' ? 0 : end;
    area.current?.setSelectionRange(at, at);
  }, [area, id, index, caret]);
}

function focusLine(id: string | null): void {
  if (id === null) return;
  const area = document.querySelector<HTMLTextAreaElement>(`textarea[data-line="${CSS.escape(id)}"]`);
  area?.focus();
  area?.setSelectionRange(area.value.length, area.value.length);
}

interface LineKeysOptions {
  line: LineContent;
  typed: Typed;
  moves: LineMoves;
}

function useLineKeys({ line, typed, moves }: LineKeysOptions) {
  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    const alt: Record<string, () => void> = {
      ArrowUp: () => moves.moveBy(line.id, -1),
      ArrowDown: () => moves.moveBy(line.id, 1),
      ArrowLeft: () => moves.indentBy(line.id, -1),
      ArrowRight: () => moves.indentBy(line.id, 1),
    };
    const move = event.altKey && !event.ctrlKey && !event.metaKey ? alt[event.key] : undefined;
    if (move !== undefined) {
      event.preventDefault();
      move();
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if (!moves.insertAfter(line.id, value.slice(selectionEnd))) return;
      if (selectionStart < value.length) {
        typed.change(value.slice(0, selectionStart));
        typed.flush();
      }
    } else if (event.key === 'Backspace' && value === '') {
      event.preventDefault();
      focusLine(moves.remove(line.id));
    }
  };
}

/** A request to move the caret to a line as soon as it is rendered, after it was added or moved. */
export class CaretRequest {
  #wanted: { line: string; at: 'start' | 'end' } | null = null;

  ask(line: string, at: 'start' | 'end'): void {
    this.#wanted = { line, at };
  }

  /** Returns the request for this line and clears it. */
  take(line: string): 'start' | 'end' | null {
    if (this.#wanted?.line !== line) return null;
    const { at } = this.#wanted;
    this.#wanted = null;
    return at;
  }
}
