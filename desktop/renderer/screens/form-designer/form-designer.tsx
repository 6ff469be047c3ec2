import { Plus, Undo2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { v7 } from 'uuid';
import { z } from 'zod';

import type { BegunForm, DesignedForm } from '#desktop/engine/areas/step-forms.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { designerText } from '#desktop/renderer/text/en/form-designer.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Menu } from '#desktop/renderer/ui/menu.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useFormDraft, useFormId } from '#desktop/renderer/use-form-draft.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { fieldType, type FormField } from '#shared/model/step-form.ts';
import { type DesignedField, faultsOf, mostFields } from '#shared/rules/form-design.ts';

import { FormNotices } from '../pages/form-notices.tsx';
import { FieldCard } from './field-card.tsx';
import { type FieldKind, fieldKinds, newField } from './field-kinds.ts';
import { Contradictions, openIn } from './form-contradictions.tsx';
import styles from './form-designer.module.css';
import { FormPreview } from './form-preview.tsx';

interface FormDesignerProps {
  guideid: string;
  /** The key of the step. */
  step: string;
  stepName: string;
  /** Saves the draft of the guide, for a step that is only in the draft. */
  saveGuide: () => Promise<void>;
  onClose: () => void;
}

/** What is stored of a form that is being designed. */
interface Typed {
  fields: DesignedField[];
  began: BegunForm;
  settled: string[];
}

// Properties of a newer server are kept.
const field = z.looseObject({ field_guid: z.string(), field_type: fieldType, label: z.string() });
const isField = (value: unknown): boolean => field.safeParse(value).success;
const fields = z.array(z.custom<DesignedField>(isField));
const known = z.array(z.custom<FormField>(isField));
const typedForm: z.ZodType<Typed> = z.object({
  fields,
  began: z.object({ base: z.object({ form_revisionid: z.number(), fields: known }), fields }),
  settled: z.array(z.string()),
});

/** The designer of the form of a step: its fields beside the form as the operator sees it. Changes are kept until saved. */
export function FormDesigner(props: FormDesignerProps) {
  const form = useLive('designedForm', props.guideid, props.step);
  return <Designer {...props} form={form} />;
}

function Designer({
  guideid,
  step,
  stepName,
  saveGuide,
  onClose,
  form,
}: FormDesignerProps & { form: DesignedForm }) {
  const actions = useActions();
  const { connection } = useLive('syncState');
  const { act, busy } = useAsyncAction();
  const body = useRef<HTMLDivElement>(null);
  const typed = useFormDraft({
    id: useFormId('step-form', guideid, step),
    schema: typedForm,
    start: { fields: form.fields, began: { base: form.base, fields: form.fields }, settled: [] },
  });
  const [isTold, setIsTold] = useState(false);
  const [added, setAdded] = useState<string | null>(null);
  const [removed, setRemoved] = useState<{ field: DesignedField; index: number } | null>(null);
  const { fields: now, began, settled } = typed.text;
  const faults = faultsOf(began.base, now);
  const open = openIn(form, settled);
  const set = (next: DesignedField[]) => typed.change({ fields: next });
  const add = (one: DesignedField, index: number) => {
    setAdded(one.field_guid);
    setRemoved(null);
    set(now.toSpliced(index, 0, one));
  };
  const remove = (index: number) => {
    const [one] = now.slice(index, index + 1);
    if (one === undefined) return;
    setRemoved({ field: one, index });
    set(now.toSpliced(index, 1));
  };
  const showFault = (): boolean => {
    const wrong = body.current?.querySelector<HTMLElement>('[data-fault] input, [aria-invalid="true"]');
    setIsTold(true);
    wrong?.scrollIntoView({ block: 'center' });
    wrong?.focus();
    return wrong !== null && wrong !== undefined;
  };
  const save = () => {
    if (faults.length > 0 || body.current?.querySelector('[aria-invalid="true"]')) {
      if (showFault()) return;
    }
    act(async () => {
      if (!form.isStepSaved) await saveGuide();
      await actions.saveStepForm(guideid, step, now, began);
      typed.forget();
      showToast(connection === 'offline' ? designerText.savedOffline : designerText.saved);
      onClose();
    });
  };
  const isFull = now.length >= mostFields;
  return (
    <Dialog
      title={designerText.title(stepName)}
      isOpen
      onClose={onClose}
      closeLabel={designerText.close}
      size="sheet"
      actions={
        <>
          <span className={classNames(styles, 'state')} role="status">
            {isTold && faults.length > 0
              ? designerText.faults(new Set(faults.map(({ index }) => index)).size)
              : typed.isDirty && designerText.kept}
          </span>
          {typed.isDirty && (
            <Button
              size="large"
              onPress={() => {
                typed.forget();
                onClose();
              }}
            >
              {designerText.discard}
            </Button>
          )}
          <Button
            tone="primary"
            size="large"
            onPress={save}
            isPending={busy}
            isDisabled={open.length > 0 || (!typed.isDirty && form.state !== 'refused')}
          >
            {designerText.save}
          </Button>
        </>
      }
    >
      <div ref={body} className={classNames(styles, 'designer')}>
        <div className={classNames(styles, 'fields')} role="group" aria-label={designerText.fields}>
          <FormNotices typed={typed} />
          <Contradictions
            form={form}
            fields={now}
            open={open}
            onSettle={(id, next) => typed.change({ fields: next, settled: [...settled, id] })}
          />
          {now.length === 0 && <p className={classNames(styles, 'hint')}>{designerText.empty}</p>}
          {now.map((one, index) => (
            <FieldCard
              key={one.field_guid}
              field={one}
              form={now}
              index={index}
              total={now.length}
              fault={faultOf(faults, index)}
              isNew={one.field_guid === added}
              isTold={isTold}
              onChange={(next) => set(now.with(index, next))}
              onMove={(by) => set(now.toSpliced(index, 1).toSpliced(index + by, 0, one))}
              onDuplicate={() => add(copyOf(one), index + 1)}
              onRemove={() => remove(index)}
            />
          ))}
          <div role="status">
            {removed !== null && (
              <div className={classNames(styles, 'removed')}>
                <span>{designerText.removed(removed.field.label)}</span>
                <Button
                  icon={<Undo2 aria-hidden="true" />}
                  onPress={() => {
                    set(now.toSpliced(removed.index, 0, removed.field));
                    setRemoved(null);
                  }}
                >
                  {designerText.undo}
                </Button>
              </div>
            )}
          </div>
          {isFull ? (
            <p className={classNames(styles, 'hint')}>{designerText.full(mostFields)}</p>
          ) : (
            <AddField onAdd={(kind) => add(newField(kind, v7()), now.length)} />
          )}
        </div>
        <FormPreview fields={now} />
      </div>
    </Dialog>
  );
}

function AddField({ onAdd }: { onAdd: (kind: FieldKind) => void }) {
  const items = fieldKinds.map((id) => ({
    id,
    name: designerText.kinds[id],
    onAction: () => onAdd(id),
  }));
  return (
    <Menu
      label={designerText.add}
      trigger={
        <Button icon={<Plus aria-hidden="true" />} wide>
          {designerText.add}
        </Button>
      }
      groups={[{ id: 'kinds', items }]}
    />
  );
}

/** A copy is a field of its own, and no expression can mean both. */
function copyOf({ key: _key, ...one }: DesignedField): DesignedField {
  return { ...one, field_guid: newField('text', v7()).field_guid, label: designerText.copyOf(one.label) };
}

/** What is wrong with a field, in the language of the screens. */
function faultOf(faults: ReturnType<typeof faultsOf>, index: number): string | null {
  const found = faults.find((fault) => fault.index === index);
  return found === undefined ? null : refusedWords(found.message, 'invalid');
}
