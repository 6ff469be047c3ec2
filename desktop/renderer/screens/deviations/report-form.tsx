import { Camera, X } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { FileTrigger } from 'react-aria-components';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import styles from './deviations.module.css';

export interface ReportWords {
  note: string;
  /** Ids of photos (`keepFormFile`). */
  pictures: string[];
}

interface ReportFieldsProps {
  words: ReportWords;
  onChange: (change: Partial<ReportWords>) => void;
}

/** Note and photos of a report. Photos are stored on this device as soon as they are taken. */
export function ReportFields({ words, onChange }: ReportFieldsProps) {
  const { note, pictures } = words;
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const add = (files: FileList | null) =>
    act(async () => {
      const added: string[] = [];
      for (const file of Array.from(files ?? [])) added.push(await actions.keepFormFile(file));
      onChange({ pictures: [...pictures, ...added] });
    });
  return (
    <div className={classNames(styles, 'form')}>
      <TextField
        kind="long"
        label={text.deviations.note}
        hint={text.deviations.noteHint}
        value={note}
        onChange={(next) => onChange({ note: next })}
      />
      {pictures.length > 0 && (
        <ul className={classNames(styles, 'photos')}>
          {pictures.map((picture, index) => (
            <li key={picture}>
              <Row gap="xs">
                <ChosenPhoto picture={picture} alt={text.deviations.photo(index + 1)} />
                <IconButton
                  label={text.deviations.removePhoto(index + 1)}
                  icon={<X />}
                  onPress={() => onChange({ pictures: pictures.filter((one) => one !== picture) })}
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
          <Button icon={<Camera aria-hidden="true" />} isPending={busy}>
            {text.deviations.addPhoto}
          </Button>
        </FileTrigger>
      </Row>
    </div>
  );
}

function ChosenPhoto({ picture, alt }: { picture: string; alt: string }) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const [url, setUrl] = useState<string>();
  const show = useEffectEvent((isWanted: () => boolean) =>
    act(async () => {
      const file = await actions.formFile(picture);
      if (isWanted()) setUrl(URL.createObjectURL(file));
    }),
  );
  useEffect(() => {
    let isHere = true;
    show(() => isHere);
    return () => {
      isHere = false;
    };
  }, [picture]);
  useEffect(() => {
    if (url === undefined) return undefined;
    return () => URL.revokeObjectURL(url);
  }, [url]);
  return <img className={classNames(styles, 'photo')} src={url} alt={alt} />;
}
