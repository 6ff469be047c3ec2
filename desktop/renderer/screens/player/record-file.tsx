import { Camera, FileText, Paperclip, Video } from 'lucide-react';
import { useId } from 'react';
import { FileTrigger } from 'react-aria-components';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import styles from './record-file.module.css';
import type { RecordProps } from './use-record.ts';

const kinds = {
  Image: { accept: ['image/*'], camera: true, icon: Camera, label: text.player.takePhoto },
  Video: { accept: ['video/*'], camera: true, icon: Video, label: text.player.takeVideo },
  Document: {
    accept: ['.pdf', 'application/pdf', 'text/*'],
    camera: false,
    icon: Paperclip,
    label: text.player.chooseDocument,
  },
} as const;

/** A photo, video or document for a field: taken with the camera where there is one, or chosen. */
export function RecordFile({
  field,
  order,
  recorded,
  onSaved,
  kind,
}: RecordProps & { kind: keyof typeof kinds }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const label = useId();
  const { accept, camera, icon: Icon, label: words } = kinds[kind];
  const hasFile = recorded !== null && recorded.value !== '';
  const save = (files: FileList | null) => {
    const file = files?.[0];
    if (!file || order === null) return;
    onSaved('saving');
    act(async () => {
      try {
        await actions.recordFile(order.entryid, field, file, file.name);
        onSaved('saved');
      } catch (error) {
        onSaved('failed');
        throw error;
      }
    });
  };
  return (
    <div className={classNames(styles, 'field')} role="group" aria-labelledby={label}>
      <span id={label} className={classNames(styles, 'label')}>
        {field.label}
        {field.required && <span aria-hidden="true">{' *'}</span>}
      </span>
      {hasFile && (
        <div className={classNames(styles, 'preview')}>
          {recorded.imageGuid === null ? (
            <FileText aria-hidden="true" />
          ) : (
            <span className={classNames(styles, 'picture')}>
              <Picture
                guid={recorded.imageGuid}
                size="thumbnail"
                alt={text.player.photoOf(field.label)}
                fit="cover"
              />
            </span>
          )}
          <span>{recorded.fileName}</span>
        </div>
      )}
      <FileTrigger
        acceptedFileTypes={accept}
        onSelect={save}
        {...(camera && { defaultCamera: 'environment' })}
      >
        <Button icon={<Icon aria-hidden="true" />} wide isDisabled={order === null} isPending={busy}>
          {hasFile ? text.player.replaceFile : words}
        </Button>
      </FileTrigger>
    </div>
  );
}
