import { unreachable } from '#shared/must.ts';

import { text } from '#desktop/renderer/text/en.ts';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { SegmentedField, type Segment } from '#desktop/renderer/ui/segmented-field.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';

import { RecordComputed } from './record-computed.tsx';
import { RecordFile } from './record-file.tsx';
import { RecordNumber } from './record-number.tsx';
import { exampleOf, useRecord, type RecordProps } from './use-record.ts';

/** A field of a step's form, of any of the nine types. */
export function RecordField(props: RecordProps) {
  const type = props.field.field_type;
  switch (type) {
    case 'Text Input':
    case 'Text Area':
      return <RecordText {...props} />;
    case 'Numeric Input':
      return props.field.computed === undefined ? <RecordNumber {...props} /> : <RecordComputed {...props} />;
    case 'Checkbox':
      return <RecordCheckbox {...props} />;
    case 'Radios':
      return <RecordAnswer {...props} />;
    case 'Select':
      return <RecordChoice {...props} />;
    case 'Image':
    case 'Video':
    case 'Document':
      return <RecordFile {...props} kind={type} />;
    default:
      return unreachable(type);
  }
}

function RecordText(props: RecordProps) {
  const { field, order } = props;
  const { shown, error, change, flush } = useRecord(props);
  return (
    <TextField
      label={field.label}
      kind={field.field_type === 'Text Area' ? 'long' : 'text'}
      placeholder={exampleOf(props.field)}
      value={shown}
      error={error}
      onChange={(value) => change(value, false)}
      onLeave={flush}
      isRequired={field.required}
      isDisabled={order === null}
    />
  );
}

function RecordCheckbox(props: RecordProps) {
  const { field, order } = props;
  const { shown, change } = useRecord(props);
  return (
    <CheckboxField
      label={field.label}
      value={shown === '1'}
      onChange={(isOn) => change(isOn ? '1' : '0', true)}
      isRequired={field.required}
      isDisabled={order === null}
    />
  );
}

function choicesOf({ field }: RecordProps): string[] {
  return Array.isArray(field.options) ? field.options : [];
}

/** Good and bad answers such as pass and fail get a sign and a colour, in any order. */
function segmentOf(answer: string): Segment {
  const word = answer.trim().toLowerCase();
  if (text.player.goodAnswers.includes(word)) return { id: answer, name: answer, meaning: 'good' };
  if (text.player.badAnswers.includes(word)) return { id: answer, name: answer, meaning: 'bad' };
  return { id: answer, name: answer };
}

function RecordAnswer(props: RecordProps) {
  const { field, order } = props;
  const { shown, error, change } = useRecord(props);
  return (
    <SegmentedField
      label={field.label}
      segments={choicesOf(props).map(segmentOf)}
      value={shown === '' ? null : shown}
      error={error}
      onChange={(answer) => change(answer, true)}
      isRequired={field.required}
      isDisabled={order === null}
    />
  );
}

function RecordChoice(props: RecordProps) {
  const { field, order } = props;
  const { shown, error, change } = useRecord(props);
  return (
    <SelectField
      label={field.label}
      placeholder={field.placeholder === '' ? text.player.choose : field.placeholder}
      choices={choicesOf(props).map((name) => ({ id: name, name }))}
      value={shown === '' ? null : shown}
      error={error}
      onChange={(choice) => change(choice, true)}
      isRequired={field.required}
      isDisabled={order === null}
    />
  );
}
