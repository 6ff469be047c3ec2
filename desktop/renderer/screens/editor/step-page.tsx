import { ArrowDown, ArrowUp, CopyPlus, Plus, Trash2 } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { Toolbar } from '#desktop/renderer/ui/toolbar.tsx';
import type { StepContent } from '#shared/rules/guide-content.ts';

import { StepSheet } from '../shell/step-sheet.tsx';
import { DraftNumber, DraftText } from './draft-text.tsx';
import { StepForm } from './step-form.tsx';
import { StepLines } from './step-lines.tsx';
import { StepMedia } from './step-media.tsx';
import styles from './step-page.module.css';
import { useEditor } from './use-editor.ts';
import type { StepMoves } from './use-step-moves.ts';

interface StepPageProps {
  index: number;
  step: StepContent;
  moves: StepMoves;
}

/** A step, laid out as in the player, with its fields editable. */
export function StepPage({ index, step, moves }: StepPageProps) {
  const { draft } = useEditor();
  const number = index + 1;
  const total = draft.content.steps.length;
  return (
    <StepSheet
      purpose="write"
      media={<StepMedia step={step} title={text.editor.stepName(number, step.title)} />}
    >
      <div className={classNames(styles, 'head')}>
        <h1 className={classNames(styles, 'place')}>{text.editor.stepOf(number, total)}</h1>
        <Toolbar label={text.editor.stepTools}>
          <IconButton
            label={text.editor.stepUp}
            icon={<ArrowUp />}
            isDisabled={index === 0}
            onPress={() => moves.moveTo(step.key, index - 1)}
          />
          <IconButton
            label={text.editor.stepDown}
            icon={<ArrowDown />}
            isDisabled={number === total}
            onPress={() => moves.moveTo(step.key, index + 1)}
          />
          <IconButton
            label={text.editor.duplicateStep}
            icon={<CopyPlus />}
            onPress={() => moves.duplicate(step)}
          />
          <IconButton label={text.editor.addStepAfter} icon={<Plus />} onPress={() => moves.add(index)} />
          <IconButton label={text.editor.removeStep} icon={<Trash2 />} onPress={() => moves.remove(step)} />
        </Toolbar>
      </div>
      <div className={classNames(styles, 'title')}>
        <DraftText
          label={text.editor.stepTitle}
          place={{ step: step.key, field: 'title' }}
          placeholder={text.editor.stepTitlePlaceholder}
          stored={step.title}
          autoFocus={moves.added === step.key}
          toEdit={(value) => ({ op: 'setStepTitle', step: step.key, value })}
        />
      </div>
      <StepLines step={step} />
      <StepForm step={step} name={text.editor.stepName(number, step.title)} />
      <div className={classNames(styles, 'time')}>
        <DraftNumber
          label={text.editor.stepTime}
          unit={text.editor.minutes}
          least={0}
          error={text.editor.wholeNumber}
          stored={Math.round(step.time_estimate / 60)}
          toEdit={(minutes) => ({ op: 'setStepTime', step: step.key, value: minutes * 60 })}
        />
      </div>
    </StepSheet>
  );
}
