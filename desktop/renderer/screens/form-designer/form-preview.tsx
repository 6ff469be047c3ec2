import { Suspense, useId } from 'react';

import { EngineProvider } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { designerText } from '#desktop/renderer/text/en/form-designer.ts';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import type { DesignedField } from '#shared/rules/form-design.ts';

import { RecordField } from '../player/record-field.tsx';
import styles from './form-designer.module.css';
import { kindOf } from './field-kinds.ts';
import { previewOrder, usePreviewEngine } from './preview-engine.ts';

const untried = new Set(['photos', 'video', 'document', 'second']);

/** The form as the operator sees it, with the fields of the player. Values can be tried out; files and names cannot. */
export function FormPreview({ fields }: { fields: readonly DesignedField[] }) {
  const heading = useId();
  const { engine, tried } = usePreviewEngine();
  const shown = fields.map((field, index) => ({
    ...field,
    label: field.label.trim() === '' ? designerText.unnamed : field.label,
    field_revisionid: index + 1,
  }));
  const order = previewOrder(shown, tried);
  return (
    <aside className={classNames(styles, 'preview')} aria-label={designerText.preview}>
      <p className={classNames(styles, 'hint')}>{designerText.previewHint}</p>
      <Card as="section" labelledBy={heading}>
        <h3 id={heading} className={classNames(styles, 'record')}>
          {text.player.record}
        </h3>
        {fields.length === 0 && <p className={classNames(styles, 'hint')}>{designerText.noPreview}</p>}
        <EngineProvider engine={engine}>
          <Suspense fallback={null}>
            <div className={classNames(styles, 'shown')}>
              {shown.map((field) => (
                <RecordField
                  key={`${field.field_guid} ${kindOf(field)}`}
                  field={{ ...field, stepid: '0', form: shown }}
                  order={untried.has(kindOf(field)) ? null : order}
                  entryid={`preview-${field.field_guid}`}
                  recorded={order.values[field.field_revisionid] ?? null}
                  onSaved={() => undefined}
                />
              ))}
            </div>
          </Suspense>
        </EngineProvider>
      </Card>
    </aside>
  );
}
