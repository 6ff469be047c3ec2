import type { ReactNode } from 'react';
import { Input, TextArea, TextField as AriaTextField } from 'react-aria-components';

import { classNames } from './class-names.ts';
import { FieldLabel, FieldNotes, type FieldProps } from './field.tsx';
import styles from './field.module.css';

interface TextFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  /** Called when the field loses the focus. */
  onLeave?: () => void;
  /** `numeric`: digits, sign and decimal separator, as text. `date`: a date such as `2026-11-22`. */
  kind?: 'text' | 'email' | 'password' | 'url' | 'numeric' | 'date' | 'long';
  placeholder?: string | undefined;
  /** A unit or limit after the value. */
  suffix?: string | undefined;
  leading?: ReactNode;
  /** Between label and field. */
  tools?: ReactNode;
  autoFocus?: boolean;
  autoComplete?: string;
}

const inputModes = {
  text: 'text',
  email: 'email',
  password: 'text',
  url: 'url',
  numeric: 'decimal',
  date: 'text',
  long: 'text',
} as const;
const inputTypes = {
  text: 'text',
  email: 'email',
  password: 'password',
  url: 'url',
  numeric: 'text',
  date: 'date',
  long: 'text',
} as const;

export function TextField({
  kind = 'text',
  error,
  suffix,
  leading,
  tools,
  placeholder = '',
  ...props
}: TextFieldProps) {
  return (
    <AriaTextField
      className={classNames(styles, 'field')}
      value={props.value}
      onChange={props.onChange}
      type={inputTypes[kind]}
      inputMode={inputModes[kind]}
      isRequired={props.isRequired ?? false}
      isDisabled={props.isDisabled ?? false}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      autoFocus={props.autoFocus ?? false}
      autoComplete={props.autoComplete ?? 'off'}
      {...(props.onLeave && { onBlur: props.onLeave })}
    >
      <FieldLabel label={props.label} isRequired={props.isRequired ?? false} />
      {tools}
      <div className={classNames(styles, 'box')}>
        {leading !== undefined && <span className={classNames(styles, 'leading')}>{leading}</span>}
        {kind === 'long' ? (
          <TextArea className={classNames(styles, 'input')} placeholder={placeholder} rows={2} />
        ) : (
          <Input className={classNames(styles, 'input')} placeholder={placeholder} />
        )}
        {suffix !== undefined && <span className={classNames(styles, 'suffix')}>{suffix}</span>}
      </div>
      <FieldNotes hint={props.hint} error={error} />
    </AriaTextField>
  );
}
