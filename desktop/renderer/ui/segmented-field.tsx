import { Check, X } from 'lucide-react';
import { Radio, RadioGroup } from 'react-aria-components';

import { classNames } from './class-names.ts';
import { FieldLabel, FieldNotes, type FieldProps } from './field.tsx';
import fieldStyles from './field.module.css';
import styles from './segmented-field.module.css';

export interface Segment {
  id: string;
  name: string;
  /** `good` and `bad` give the chosen answer a colour and a sign. */
  meaning?: 'good' | 'bad';
}

interface SegmentedFieldProps extends FieldProps {
  segments: readonly Segment[];
  value: string | null;
  onChange: (id: string) => void;
  /** `compact`: a switch between views; `answer`: large buttons of a form. */
  look?: 'compact' | 'answer';
  hideLabel?: boolean;
}

/** A single choice with all options visible. */
export function SegmentedField({
  segments,
  value,
  onChange,
  look = 'answer',
  error,
  ...props
}: SegmentedFieldProps) {
  return (
    <RadioGroup
      className={classNames(fieldStyles, 'field')}
      value={value}
      onChange={onChange}
      orientation="horizontal"
      isRequired={props.isRequired ?? false}
      isDisabled={props.isDisabled ?? false}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      {...(props.hideLabel === true && { 'aria-label': props.label })}
    >
      {props.hideLabel !== true && <FieldLabel label={props.label} isRequired={props.isRequired ?? false} />}
      <div
        className={classNames(
          styles,
          'segments',
          look,
          segments.length === 4 && 'four',
          segments.length > 4 && 'many',
        )}
      >
        {segments.map((segment) => (
          <Radio
            key={segment.id}
            value={segment.id}
            className={classNames(styles, 'segment', segment.meaning)}
          >
            {segment.meaning === 'bad' ? <X aria-hidden="true" /> : <Check aria-hidden="true" />}
            {segment.name}
          </Radio>
        ))}
      </div>
      <FieldNotes hint={props.hint} error={error} />
    </RadioGroup>
  );
}
