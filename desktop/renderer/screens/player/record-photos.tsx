import { Camera, X } from 'lucide-react';
import { useId } from 'react';
import { FileTrigger } from 'react-aria-components';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import styles from './record-photos.module.css';
import type { RecordProps } from './use-record.ts';

/** Several photos for one field, taken one after the other or chosen together. */
export function RecordPhotos({ field, order, recorded, onSaved, most }: RecordProps & { most: number }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const label = useId();
  const first = recorded === null || recorded.value === '' ? [] : [recorded];
  const photos = [...first, ...(recorded?.morePhotos ?? [])];
  const record = (work: (entryid: string) => Promise<void>) => {
    if (order === null) return;
    onSaved('saving');
    act(async () => {
      try {
        await work(order.entryid);
        onSaved('saved');
      } catch (error) {
        onSaved('failed');
        throw error;
      }
    });
  };
  const add = (files: FileList | null) =>
    record(async (entryid) => {
      for (const file of Array.from(files ?? [])) await actions.recordFile(entryid, field, file, file.name);
    });
  return (
    <div className={classNames(styles, 'field')} role="group" aria-labelledby={label}>
      <span id={label} className={classNames(styles, 'label')}>
        {field.label}
        {field.required && <span aria-hidden="true">{' *'}</span>}
        <span className={classNames(styles, 'count')}>{text.player.photosOf(photos.length, most)}</span>
      </span>
      {photos.length > 0 && (
        <ul className={classNames(styles, 'photos')}>
          {photos.map(({ value, imageGuid }, index) => (
            <li key={value} className={classNames(styles, 'photo')}>
              {imageGuid !== null && (
                <Picture
                  guid={imageGuid}
                  size="thumbnail"
                  alt={text.player.photoNumber(field.label, index + 1)}
                  fit="cover"
                />
              )}
              {order !== null && (
                <span className={classNames(styles, 'remove')}>
                  <IconButton
                    look="floating"
                    label={text.player.removePhoto(field.label, index + 1)}
                    icon={<X />}
                    onPress={() => record((entryid) => actions.removePhoto(entryid, field, value))}
                  />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {photos.length < most && (
        <FileTrigger
          acceptedFileTypes={['image/*']}
          defaultCamera="environment"
          allowsMultiple
          onSelect={add}
        >
          <Button icon={<Camera aria-hidden="true" />} wide isDisabled={order === null} isPending={busy}>
            {photos.length === 0 ? text.player.takePhoto : text.player.addPhoto}
          </Button>
        </FileTrigger>
      )}
    </div>
  );
}
