import { ImagePlus } from 'lucide-react';
import { FileTrigger } from 'react-aria-components';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import type { ImageRef } from '#shared/model/image.ts';

import styles from './page-parts.module.css';

interface PictureFieldProps {
  image: ImageRef | null;
  onChange: (image: ImageRef | null) => void;
}

/** The picture of a page or person. */
export function PictureField({ image, onChange }: PictureFieldProps) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const choose = (files: FileList | null) => {
    const file = files?.[0];
    if (file === undefined) return;
    act(async () => onChange(await actions.keepPagePicture(file, file.name)));
  };
  return (
    <>
      {image === null ? (
        <p className={classNames(styles, 'nothing')}>{text.pages.noPicture}</p>
      ) : (
        <div className={classNames(styles, 'picture')}>
          <Picture guid={image.guid} size="medium" alt={text.pages.picture} fit="cover" />
        </div>
      )}
      <div className={classNames(styles, 'buttons')}>
        <FileTrigger acceptedFileTypes={['image/*']} onSelect={choose}>
          <Button icon={<ImagePlus aria-hidden="true" />} isPending={busy}>
            {image === null ? text.pages.addPicture : text.pages.changePicture}
          </Button>
        </FileTrigger>
        {image !== null && <Button onPress={() => onChange(null)}>{text.pages.removePicture}</Button>}
      </div>
    </>
  );
}
