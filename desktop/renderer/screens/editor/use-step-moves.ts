import { useState } from 'react';
import { v7 } from 'uuid';

import { text } from '#desktop/renderer/text/en.ts';
import { emptyStep, type StepContent } from '#shared/rules/guide-content.ts';
import { temporaryId } from '#shared/sync/wire.ts';

import type { EditorNavigation } from './editor-place.ts';
import type { Editor } from './use-editor.ts';

/** Operations on whole steps. */
export interface StepMoves {
  /** Adds a step after the one at `index`, or at the end, and opens it. */
  add: (index?: number) => void;
  duplicate: (step: StepContent) => void;
  remove: (step: StepContent) => void;
  /** `index`: position in the list without the moved step. */
  moveTo: (key: string, index: number) => void;
  /** Name of the last removed step, while it can be restored. */
  removed: string | null;
  /** The step that was just added: its title has the focus. */
  added: string | null;
  takeBack: () => void;
  forgetRemoved: () => void;
}

type Removal = { name: string; step: StepContent; index: number };

/** The operations on the steps of a draft. */
export function useStepMoves({ draft, pendingEdits, edit }: Editor, place: EditorNavigation): StepMoves {
  const { steps } = draft.content;
  const [removal, setRemoval] = useState<Removal | null>(null);
  const [added, setAdded] = useState<string | null>(null);
  const insert = (step: StepContent, index: number) => {
    setRemoval(null);
    setAdded(step.key);
    void pendingEdits.flush();
    void edit({ op: 'insertStep', step, index });
    // At once, so that what is typed next is not typed into the step before.
    place.toStep(step.key);
  };
  const indexOf = (key: string) => steps.findIndex((step) => step.key === key);
  return {
    add: (index = steps.length - 1) => {
      insert({ ...emptyStep(newStepKey()), lines: [emptyLine()] }, index + 1);
    },
    duplicate: (step) => {
      const lines = step.lines.map((line) => ({ ...line, id: newLineId() }));
      insert({ ...step, key: newStepKey(), lines }, indexOf(step.key) + 1);
    },
    remove: (step) => {
      const index = indexOf(step.key);
      const next = steps[index + 1] ?? steps[index - 1];
      const name = text.editor.stepName(index + 1, step.title);
      void pendingEdits.flush().then(async () => {
        if (next === undefined) place.toAbout();
        else place.toStep(next.key);
        await edit({ op: 'removeStep', step: step.key });
        setRemoval({ name, step, index });
      });
    },
    moveTo: (key, index) => {
      if (index < 0 || index >= steps.length || index === indexOf(key)) return;
      setRemoval(null);
      void edit({ op: 'moveStep', step: key, index });
    },
    removed: removal?.name ?? null,
    added,
    takeBack: () => {
      if (removal !== null) insert(removal.step, removal.index);
    },
    forgetRemoved: () => setRemoval(null),
  };
}

function emptyLine() {
  return { id: newLineId(), bullet: 'black', level: 0, text_raw: '' } as const;
}

/** Key of a new step: the temporary id under which the save creates it. */
function newStepKey(): string {
  return temporaryId(v7());
}

/** Id of a new line. */
export function newLineId(): string {
  return v7();
}
