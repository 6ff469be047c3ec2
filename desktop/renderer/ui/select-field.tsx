import { Check, ChevronDown } from 'lucide-react';
import { Button, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components';

import { classNames } from './class-names.ts';
import { FieldLabel, FieldNotes, type FieldProps } from './field.tsx';
import fieldStyles from './field.module.css';
import styles from './list-box.module.css';

export interface Choice {
  id: string;
  name: string;
}

interface SelectFieldProps extends FieldProps {
  choices: readonly Choice[];
  /** Null: nothing chosen yet. */
  value: string | null;
  onChange: (id: string) => void;
  placeholder: string;
}

export function SelectField({ choices, value, onChange, placeholder, error, ...props }: SelectFieldProps) {
  return (
    <Select
      className={classNames(fieldStyles, 'field')}
      value={value}
      onChange={(key) => {
        if (key !== null) onChange(String(key));
      }}
      placeholder={placeholder}
      isRequired={props.isRequired ?? false}
      isDisabled={props.isDisabled ?? false}
      isInvalid={error !== undefined}
      validationBehavior="aria"
    >
      <FieldLabel label={props.label} isRequired={props.isRequired ?? false} />
      <div className={classNames(fieldStyles, 'box')}>
        <Button className={classNames(fieldStyles, 'choice')}>
          <SelectValue>
            {({ selectedText, defaultChildren }) => (selectedText === '' ? defaultChildren : selectedText)}
          </SelectValue>
          <ChevronDown aria-hidden="true" />
        </Button>
      </div>
      <FieldNotes hint={props.hint} error={error} />
      <Popover className={classNames(styles, 'popover')} offset={4}>
        <ListBox className={classNames(styles, 'list')} items={choices}>
          {(choice) => (
            <ListBoxItem className={classNames(styles, 'option')} id={choice.id} textValue={choice.name}>
              <span className={classNames(styles, 'words')}>{choice.name}</span>
              <Check className={classNames(styles, 'check')} aria-hidden="true" />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  );
}
