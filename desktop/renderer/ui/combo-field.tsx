import { ChevronDown } from 'lucide-react';
import { Button, ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components';

import { classNames } from './class-names.ts';
import { FieldLabel, FieldNotes, type FieldProps } from './field.tsx';
import fieldStyles from './field.module.css';
import styles from './list-box.module.css';

export interface ComboChoice {
  id: string;
  name: string;
  note?: string;
}

interface ComboFieldProps extends FieldProps {
  /** Already filtered by the typed text. */
  choices: readonly ComboChoice[];
  input: string;
  onInput: (text: string) => void;
  /** Null if the text is not one of the choices. */
  onChoose: (id: string | null) => void;
  /** Other text is a valid value too. */
  allowsOther?: boolean;
  /** Shown in the list if nothing matches. */
  emptyText: string;
  placeholder?: string;
  /** Name of the button that opens the list. */
  openLabel: string;
  kind?: 'text' | 'url';
}

/** A text field with suggestions. */
export function ComboField({
  choices,
  input,
  onInput,
  onChoose,
  error,
  kind = 'text',
  ...props
}: ComboFieldProps) {
  return (
    <ComboBox
      className={classNames(fieldStyles, 'field')}
      items={choices}
      inputValue={input}
      onInputChange={onInput}
      onChange={(key) => onChoose(key === null ? null : String(key))}
      defaultFilter={() => true}
      allowsCustomValue={props.allowsOther ?? false}
      allowsEmptyCollection={!(props.allowsOther ?? false)}
      menuTrigger="focus"
      isRequired={props.isRequired ?? false}
      isDisabled={props.isDisabled ?? false}
      isInvalid={error !== undefined}
      validationBehavior="aria"
    >
      <FieldLabel label={props.label} isRequired={props.isRequired ?? false} />
      <div className={classNames(fieldStyles, 'box')}>
        <Input
          className={classNames(fieldStyles, 'input')}
          inputMode={kind}
          placeholder={props.placeholder ?? ''}
        />
        <Button className={classNames(fieldStyles, 'open')} aria-label={props.openLabel}>
          <ChevronDown aria-hidden="true" />
        </Button>
      </div>
      <FieldNotes hint={props.hint} error={error} />
      <Popover className={classNames(styles, 'popover')} offset={4}>
        <ListBox
          className={classNames(styles, 'list')}
          items={choices}
          renderEmptyState={() => <div className={classNames(styles, 'empty')}>{props.emptyText}</div>}
        >
          {(choice) => (
            <ListBoxItem className={classNames(styles, 'option')} id={choice.id} textValue={choice.name}>
              <span className={classNames(styles, 'words')}>
                {choice.name}
                {choice.note !== undefined && (
                  <span className={classNames(styles, 'note')}>{choice.note}</span>
                )}
              </span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
