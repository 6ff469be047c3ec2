import { Camera, X } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { FileTrigger } from 'react-aria-components';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';

import styles from './deviations.module.css';

export interface ReportWords {
  note: string;
  pictures: readonly File[];
}

export const noWords: ReportWords = { note: '', pictures: [] };

interface ReportFieldsProps {
  words: ReportWords;
  onChange: (words: ReportWords) => void;
}

/** Note and photos of a report. */
export function ReportFields({ words, onChange }: ReportFieldsProps) {
  const { note, pictures } = words;
  const add = (files: FileList | null) =>
    onChange({ note, pictures: [...pictures, ...Array.from(files ?? [])] });
  return (
    <div className={classNames(styles, 'form')}>
      <TextField
        kind="long"
        label={text.deviations.note}
        hint={text.deviations.noteHint}
        value={note}
        onChange={(next) => onChange({ note: next, pictures })}
      />
      {pictures.length > 0 && (
        <ul className={classNames(styles, 'photos')}>
          {pictures.map((picture, index) => (
            <li key={`${picture.name} ${picture.lastModified} ${picture.size}`}>
              <Row gap="xs">
                <ChosenPhoto picture={picture} alt={text.deviations.photo(index + 1)} />
                <IconButton
                  label={text.deviations.removePhoto(index + 1)}
                  icon={<X />}
                  onPress={() => onChange({ note, pictures: pictures.filter((one) => one !== picture) })}
                />
              </Row>
            </li>
          ))}
        </ul>
      )}
      <Row>
        <FileTrigger
          acceptedFileTypes={['image/*']}
          defaultCamera="environment"
          allowsMultiple
          onSelect={add}
        >
          <Button icon={<Camera aria-hidden="true" />}>{text.deviations.addPhoto}</Button>
        </FileTrigger>
      </Row>
    </div>
  );
}

function ChosenPhoto({ picture, alt }: { picture: File; alt: string }) {
  const url = useMemo(() => URL.createObjectURL(picture), [picture]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return <img className={classNames(styles, 'photo')} src={url} alt={alt} />;
}
