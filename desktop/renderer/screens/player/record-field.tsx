import { lazy, Suspense } from 'react';

import { unreachable } from '#shared/must.ts';

import { text } from '#desktop/renderer/text/en.ts';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { SegmentedField, type Segment } from '#desktop/renderer/ui/segmented-field.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';

import { RecordComputed } from './record-computed.tsx';
import { RecordFile } from './record-file.tsx';
import { RecordPhotos } from './record-photos.tsx';
import { RecordReason } from './record-reason.tsx';
import { RecordNumber } from './record-number.tsx';
import { ScanField } from './scan-field.tsx';
import { exampleOf, useRecord, type RecordProps } from './use-record.ts';

const RecordSecondPerson = lazy(async () => ({
  default: (await import('./record-second-person.tsx')).RecordSecondPerson,
}));

/** A field of a step's form, of any of the nine types. */
export function RecordField(props: RecordProps) {
  const { field, order, recorded } = props;
  const isAsked = field.reason_when_failed === true && recorded?.isFailed === true;
  return (
    <>
      <FieldOfType {...props} />
      {isAsked && order !== null && (
        <RecordReason key={recorded.value} field={field} order={order} recorded={recorded} />
      )}
    </>
  );
}

function FieldOfType(props: RecordProps) {
  const type = props.field.field_type;
  switch (type) {
    case 'Text Input':
      return props.field.second_person === undefined ? (
        <RecordText {...props} />
      ) : (
        <Suspense fallback={null}>
          <RecordSecondPerson {...props} />
        </Suspense>
      );
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
      return props.field.max_photos === undefined ? (
        <RecordFile {...props} kind={type} />
      ) : (
        <RecordPhotos {...props} most={props.field.max_photos} />
      );
    case 'Video':
    case 'Document':
      return <RecordFile {...props} kind={type} />;
    default:
      return unreachable(type);
  }
}

function RecordText(props: RecordProps) {
  const { field, order, recorded } = props;
  const { shown, error, change, flush } = useRecord(props);
  const isOdd = recorded?.isFailed === true && recorded.value === shown;
  const shared = {
    label: field.label,
    placeholder: exampleOf(props.field),
    value: shown,
    error: error ?? (isOdd ? text.player.oddText : undefined),
    onLeave: flush,
    isRequired: field.required,
    isDisabled: order === null,
  };
  if (field.format === 'barcode') return <ScanField {...shared} onChange={change} />;
  return (
    <TextField
      {...shared}
      kind={field.field_type === 'Text Area' ? 'long' : field.format === 'date' ? 'date' : 'text'}
      onChange={(value) => change(value, false)}
    />
  );
}

function RecordCheckbox(props: RecordProps) {
  const { field, order } = props;
  const { shown, change } = useRecord(props);
  if (field.reason_when_failed === true)
    return (
      <SegmentedField
        label={field.label}
        segments={[
          { id: '1', name: text.player.checkOk, meaning: 'good' },
          { id: '0', name: text.player.checkFailed, meaning: 'bad' },
        ]}
        value={shown === '' ? null : shown}
        onChange={(answer) => change(answer, true)}
        isDisabled={order === null}
      />
    );
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
