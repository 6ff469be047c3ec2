import { Plus } from 'lucide-react';
import { useState } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { type LineContent, type StepContent, pathId } from '#shared/rules/guide-content.ts';
import { guideLimits } from '#shared/rules/guide-limits.ts';

import { CaretRequest, LineEditor, type LineMoves } from './line-editor.tsx';
import { newLineId } from './use-step-moves.ts';
import { placeAttribute } from './problems.ts';
import styles from './step-lines.module.css';
import { useEditor, useProblem } from './use-editor.ts';

/** The lines of a step, edited in place. */
export function StepLines({ step }: { step: StepContent }) {
  const [caret] = useState(() => new CaretRequest());
  const [current, setCurrent] = useState<string | null>(null);
  const moves = useLineMoves(step, caret);
  const problem = useProblem({ step: step.key, field: 'lines' });
  const isFull = step.lines.length >= guideLimits.linesOfStep;
  return (
    <section
      className={classNames(styles, 'section')}
      aria-label={text.editor.lines}
      {...{ [placeAttribute]: pathId({ step: step.key, field: 'lines' }) }}
    >
      <ol className={classNames(styles, 'lines')}>
        {step.lines.map((line, index) => (
          <LineEditor
            key={line.id}
            step={step}
            line={line}
            index={index}
            moves={moves}
            caret={caret}
            isCurrent={line.id === current}
            onCurrent={() => setCurrent(line.id)}
          />
        ))}
      </ol>
      {isFull ? (
        <p className={classNames(styles, 'full', problem !== undefined && 'problem')}>
          {problem ?? text.editor.linesFull(guideLimits.linesOfStep)}
        </p>
      ) : (
        <div className={classNames(styles, 'add')}>
          <Button
            icon={<Plus aria-hidden="true" />}
            onPress={() => moves.insertAfter(step.lines.at(-1)?.id ?? null, '')}
          >
            {text.editor.addLine}
          </Button>
          <p className={classNames(styles, 'keys')}>{text.editor.lineKeys}</p>
        </div>
      )}
    </section>
  );
}

function useLineMoves(step: StepContent, caret: CaretRequest): LineMoves {
  const { pendingEdits, content, edit } = useEditor();
  const linesNow = (): LineContent[] =>
    content().steps.find(({ key }) => key === step.key)?.lines ?? step.lines;
  const indexOf = (id: string) => linesNow().findIndex((line) => line.id === id);
  return {
    insertAfter: (after, words) => {
      if (linesNow().length >= guideLimits.linesOfStep) return false;
      const id = newLineId();
      caret.ask(id, 'start');
      void pendingEdits.flush();
      const index = after === null ? -1 : indexOf(after);
      const above = linesNow()[index];
      const line: LineContent = {
        id,
        bullet: above === undefined || above.bullet.startsWith('icon_') ? 'black' : above.bullet,
        level: above?.level ?? 0,
        text_raw: words,
      };
      void edit({ op: 'insertLine', step: step.key, line, index: index + 1 });
      return true;
    },
    remove: (id) => {
      const index = indexOf(id);
      const next = linesNow()[index - 1] ?? linesNow()[index + 1];
      void pendingEdits.flush();
      void edit({ op: 'removeLine', step: step.key, line: id });
      return next?.id ?? null;
    },
    moveBy: (id, by) => {
      const index = indexOf(id) + by;
      if (index < 0 || index >= linesNow().length) return;
      caret.ask(id, 'end');
      void pendingEdits.flush();
      void edit({ op: 'moveLine', step: step.key, line: id, index });
    },
    indentBy: (id, by) => {
      const index = indexOf(id);
      const level = (linesNow()[index]?.level ?? 0) + by;
      const above = linesNow()[index - 1];
      const most = above === undefined ? 0 : Math.min(guideLimits.lineLevel, above.level + 1);
      if (level < 0 || level > most) return;
      void edit({ op: 'setLineLevel', step: step.key, line: id, value: level });
    },
  };
}
