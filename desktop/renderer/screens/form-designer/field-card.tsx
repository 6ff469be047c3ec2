import { ArrowDown, ArrowUp, CopyPlus, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';

import { designerText } from '#desktop/renderer/text/en/form-designer.ts';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { Toolbar } from '#desktop/renderer/ui/toolbar.tsx';

import { asKind, fieldKinds, isNeverRequired, kindOf } from './field-kinds.ts';
import { FieldSettings, type SettingsProps } from './field-settings.tsx';
import styles from './form-designer.module.css';

interface FieldCardProps extends SettingsProps {
  index: number;
  total: number;
  /** Why the server would refuse the field; null: it would not. */
  fault: string | null;
  /** The field was just added: its name has the focus. */
  isNew: boolean;
  /** Faults are told at once, because saving was attempted. */
  isTold: boolean;
  onMove: (by: 1 | -1) => void;
  onDuplicate: () => void;
  onRemove: () => void;
}

/** A field of the form with its settings. Its fault is told when the card is left, not while it is being filled in. */
export function FieldCard(props: FieldCardProps) {
  const { field, form, index, total, fault, onChange } = props;
  const [isLeft, setIsLeft] = useState(!props.isNew);
  const heading = useId();
  const faultId = useId();
  const kind = kindOf(field);
  const name = designerText.field(index + 1, field.label.trim() === '' ? designerText.unnamed : field.label);
  const shown = fault !== null && (isLeft || props.isTold) ? fault : null;
  return (
    <section
      className={classNames(styles, 'card', shown !== null && 'wrong')}
      aria-labelledby={heading}
      aria-describedby={shown === null ? undefined : faultId}
      data-fault={fault === null ? undefined : 'yes'}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setIsLeft(true);
      }}
    >
      <div className={classNames(styles, 'head')}>
        <h3 id={heading} className={classNames(styles, 'name')}>
          {name}
        </h3>
        <Toolbar label={designerText.tools(name)}>
          <IconButton
            label={designerText.moveUp}
            icon={<ArrowUp />}
            isDisabled={index === 0}
            onPress={() => props.onMove(-1)}
          />
          <IconButton
            label={designerText.moveDown}
            icon={<ArrowDown />}
            isDisabled={index === total - 1}
            onPress={() => props.onMove(1)}
          />
          <IconButton label={designerText.duplicate} icon={<CopyPlus />} onPress={props.onDuplicate} />
          <IconButton label={designerText.remove} icon={<Trash2 />} onPress={props.onRemove} />
        </Toolbar>
      </div>
      <div className={classNames(styles, 'grid')}>
        <TextField
          label={designerText.label}
          value={field.label}
          onChange={(label) => onChange({ ...field, label })}
          autoFocus={props.isNew}
          isRequired
        />
        <SelectField
          label={designerText.kind}
          choices={fieldKinds.map((id) => ({ id, name: designerText.kinds[id] }))}
          value={kind}
          onChange={(id) => {
            const chosen = fieldKinds.find((one) => one === id);
            if (chosen !== undefined && chosen !== kind) onChange(asKind(field, chosen));
          }}
          placeholder={designerText.choose}
        />
      </div>
      <FieldSettings key={kind} field={field} form={form} onChange={onChange} />
      {!isNeverRequired(kind) && (
        <CheckboxField
          label={designerText.required}
          value={field.required}
          onChange={(required) => onChange({ ...field, required })}
        />
      )}
      {/* Always there, so that nothing moves under a press that leaves the card. */}
      <p id={faultId} className={classNames(styles, 'fault')} role="alert">
        {shown}
      </p>
    </section>
  );
}
