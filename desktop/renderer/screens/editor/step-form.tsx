import { ClipboardList } from 'lucide-react';
import { lazy, Suspense, useId, useState } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';
import type { StepContent } from '#shared/rules/guide-content.ts';

import styles from './step-form.module.css';
import { useEditor } from './use-editor.ts';

const FormDesigner = lazy(async () => ({
  default: (await import('../form-designer/form-designer.tsx')).FormDesigner,
}));

/** What is recorded at this step, with the way to the designer of its form. */
export function StepForm({ step, name }: { step: StepContent; name: string }) {
  const { draft, pendingEdits } = useEditor();
  const actions = useActions();
  const form = useLiveSoon('designedForm', draft.guideid, step.key);
  const [isOpen, setIsOpen] = useState(false);
  const heading = useId();
  if (form === undefined) return null;
  const { fields, state } = form;
  const saveGuide = async () => {
    await pendingEdits.flush();
    await actions.saveDraft(draft.guideid);
  };
  const note = state === 'saved' ? null : text.editor.formStates[state];
  return (
    <Card as="section" labelledBy={heading} tone={state === 'refused' ? 'danger' : 'plain'}>
      <div className={classNames(styles, 'head')}>
        <h2 id={heading} className={classNames(styles, 'title')}>
          {text.editor.form}
        </h2>
        {note !== null && (
          <p className={classNames(styles, 'state', state)} role="status">
            {note}
          </p>
        )}
      </div>
      {fields.length === 0 ? (
        <p className={classNames(styles, 'hint')}>{text.editor.noForm}</p>
      ) : (
        <ul className={classNames(styles, 'fields')}>
          {fields.map(({ field_guid, label, required, unit }) => (
            <li key={field_guid} className={classNames(styles, 'field')}>
              <span>{label}</span>
              <span className={classNames(styles, 'hint')}>
                {[unit, required ? text.editor.requiredField : undefined]
                  .filter((part) => part !== undefined)
                  .join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Button icon={<ClipboardList aria-hidden="true" />} onPress={() => setIsOpen(true)}>
        {fields.length === 0 ? text.editor.addForm : text.editor.designForm}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <FormDesigner
            guideid={draft.guideid}
            step={step.key}
            stepName={name}
            saveGuide={saveGuide}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </Card>
  );
}
