import { ArrowLeft, ArrowRight, Camera, Crop, ImagePlus, Shapes, Star, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Button as AriaButton, DropZone, FileTrigger } from 'react-aria-components';

import { parseMarkers } from '#shared/rules/markers.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { thumbnailFrame, Thumbnails } from '#desktop/renderer/ui/thumbnails.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { Toolbar } from '#desktop/renderer/ui/toolbar.tsx';
import type { ImageRef } from '#shared/model/image.ts';
import { type StepContent, pathId } from '#shared/rules/guide-content.ts';
import { guideLimits } from '#shared/rules/guide-limits.ts';

import { MarkerEditor } from './marker-editor.tsx';
import { placeAttribute } from './problems.ts';
import styles from './step-media.module.css';
import { pictureFilesOf, usePastedPictures, usePictures, useReplacedPicture } from './use-pictures.ts';
import { useEditor, useProblem } from './use-editor.ts';

const CropDialog = lazy(async () => ({ default: (await import('./crop-dialog.tsx')).CropDialog }));

interface StepMediaProps {
  step: StepContent;
  title: string;
}

/** The pictures of a step: dropped, pasted, chosen or taken with the camera, in the order of the player. */
export function StepMedia({ step, title }: StepMediaProps) {
  const { add, busy } = usePictures(step);
  const problem = useProblem({ step: step.key, field: 'media' });
  const { media } = step;
  const isFull = media.type === 'image' && media.data.length >= guideLimits.pictures;
  usePastedPictures(media.type === 'image' && !isFull ? add : null);
  return (
    <section
      className={classNames(styles, 'media')}
      aria-label={text.editor.pictures}
      {...{ [placeAttribute]: pathId({ step: step.key, field: 'media' }) }}
    >
      {media.type === 'image' ? (
        <DropZone
          className={classNames(styles, 'drop')}
          aria-label={text.editor.noPicture}
          getDropOperation={(types) =>
            isFull || ![...imageTypes].some((type) => types.has(type)) ? 'cancel' : 'copy'
          }
          onDrop={(event) => void pictureFilesOf(event.items).then(add)}
        >
          <Pictures
            step={step}
            pictures={media.data}
            title={title}
            adding={
              isFull ? (
                <LimitReached problem={problem} />
              ) : (
                <AddPictures isFirst={media.data.length === 0} onFiles={add} busy={busy} />
              )
            }
          />
        </DropZone>
      ) : (
        <OtherMedia
          step={step}
          words={media.type === 'video' ? text.editor.videoHere : text.editor.embedHere}
        />
      )}
    </section>
  );
}

const imageTypes = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
  'image/heic',
] as const;

function LimitReached({ problem }: { problem: string | undefined }) {
  return (
    <p className={classNames(styles, 'full', problem !== undefined && 'problem')}>
      {problem ?? text.editor.picturesFull(guideLimits.pictures)}
    </p>
  );
}

interface AddPicturesProps {
  /** The step has no picture yet; instructions are shown. */
  isFirst: boolean;
  onFiles: (files: File[]) => void;
  busy: boolean;
}

function AddPictures({ isFirst, onFiles, busy }: AddPicturesProps) {
  const choose = (files: FileList | null) => onFiles([...(files ?? [])]);
  return (
    <div className={classNames(styles, 'adding')}>
      <FileTrigger acceptedFileTypes={['image/*']} allowsMultiple onSelect={choose}>
        <AddButton isFirst={isFirst} icon={<ImagePlus />} label={text.editor.addPicture} busy={busy} />
      </FileTrigger>
      <span className={classNames(styles, 'camera')}>
        <FileTrigger acceptedFileTypes={['image/*']} defaultCamera="environment" onSelect={choose}>
          <AddButton isFirst={isFirst} icon={<Camera />} label={text.editor.takePhoto} busy={busy} />
        </FileTrigger>
      </span>
    </div>
  );
}

interface AddButtonProps {
  isFirst: boolean;
  icon: ReactNode;
  label: string;
  busy: boolean;
}

function AddButton({ isFirst, icon, label, busy }: AddButtonProps) {
  return isFirst ? (
    <Button icon={<span aria-hidden="true">{icon}</span>} isPending={busy}>
      {label}
    </Button>
  ) : (
    <AriaButton
      className={`${thumbnailFrame} ${classNames(styles, 'tile')}`}
      aria-label={label}
      isPending={busy}
    >
      {icon}
    </AriaButton>
  );
}

function OtherMedia({ step, words }: { step: StepContent; words: string }) {
  const { edit } = useEditor();
  const replace = () => void edit({ op: 'setStepMedia', step: step.key, value: { type: 'image', data: [] } });
  return (
    <div className={classNames(styles, 'none')}>
      <p>{words}</p>
      <Button onPress={replace}>{text.editor.replaceVideo}</Button>
    </div>
  );
}

interface PicturesProps {
  step: StepContent;
  pictures: ImageRef[];
  title: string;
  /** The way to one more. */
  adding: ReactNode;
}

function Pictures({ step, pictures, title, adding }: PicturesProps) {
  const { content, edit } = useEditor();
  const [chosen, setChosen] = useState<string | null>(null);
  const [isMarking, setIsMarking] = useState(false);
  const index = Math.max(
    0,
    pictures.findIndex(({ guid }) => guid === chosen),
  );
  const picture = pictures[index];
  if (picture === undefined) {
    return (
      <div className={classNames(styles, 'none')}>
        <ImagePlus aria-hidden="true" />
        <p>{text.editor.noPicture}</p>
        {adding}
      </div>
    );
  }
  const alt = text.player.pictureOf(title, index + 1, pictures.length);
  if (isMarking) {
    const mark = (markup: string) => {
      const media = content().steps.find(({ key }) => key === step.key)?.media ?? step.media;
      const data = (media.type === 'image' ? media.data : []).map((other) =>
        other.guid === picture.guid ? { ...other, markup } : other,
      );
      return edit({ op: 'setStepMedia', step: step.key, value: { type: 'image', data } });
    };
    return (
      <MarkerEditor
        key={picture.guid}
        picture={picture}
        alt={alt}
        onChange={mark}
        onDone={() => setIsMarking(false)}
      />
    );
  }
  return (
    <div className={classNames(styles, 'stage', 'several')}>
      <Picture
        guid={picture.guid}
        size="large"
        alt={alt}
        fit="contain"
        dimensions={picture}
        markers={parseMarkers(picture.markup, picture)}
      />
      <div className={classNames(styles, 'below')}>
        <div className={classNames(styles, 'row')}>
          <Thumbnails
            guids={pictures.map(({ guid }) => guid)}
            chosen={index}
            label={(at) => text.player.picture(at + 1, pictures.length)}
            onChoose={(at) => setChosen(pictures[at]?.guid ?? null)}
          />
          {adding}
        </div>
        <PictureTools
          step={step}
          pictures={pictures}
          index={index}
          onChoose={setChosen}
          onMark={() => setIsMarking(true)}
        />
      </div>
    </div>
  );
}

interface PictureToolsProps {
  step: StepContent;
  pictures: ImageRef[];
  index: number;
  /** Shows this picture next. */
  onChoose: (guid: string) => void;
  onMark: () => void;
}

function PictureTools({ step, pictures, index, onChoose, onMark }: PictureToolsProps) {
  const { draft, edit } = useEditor();
  const replace = useReplacedPicture(step);
  const [isCropping, setIsCropping] = useState(false);
  const picture = pictures[index];
  if (picture === undefined) return null;
  const set = (data: ImageRef[]) =>
    void edit({ op: 'setStepMedia', step: step.key, value: { type: 'image', data } });
  const move = (by: 1 | -1) => {
    onChoose(picture.guid);
    set(pictures.toSpliced(index, 1).toSpliced(index + by, 0, picture));
  };
  const isCover = draft.content.image?.guid === picture.guid;
  const useAsCover = () => {
    void edit({ op: 'setField', field: 'image', value: picture });
    showToast(text.editor.coverSet);
  };
  return (
    <Toolbar label={text.editor.pictureTools}>
      <Button tone="quiet" icon={<Shapes aria-hidden="true" />} onPress={onMark}>
        {text.editor.drawMarkers}
      </Button>
      <IconButton label={text.editor.cropPicture} icon={<Crop />} onPress={() => setIsCropping(true)} />
      {isCropping && (
        <Suspense fallback={null}>
          <CropDialog
            picture={picture}
            onClose={() => setIsCropping(false)}
            onApply={async (made) => onChoose(await replace(picture.guid, made))}
          />
        </Suspense>
      )}
      {pictures.length > 1 && (
        <>
          <IconButton
            label={text.editor.pictureEarlier}
            icon={<ArrowLeft />}
            isDisabled={index === 0}
            onPress={() => move(-1)}
          />
          <IconButton
            label={text.editor.pictureLater}
            icon={<ArrowRight />}
            isDisabled={index === pictures.length - 1}
            onPress={() => move(1)}
          />
        </>
      )}
      {!isCover && (
        <Button
          tone="quiet"
          icon={<Star aria-hidden="true" />}
          onPress={useAsCover}
          label={text.editor.useAsCover}
        >
          {text.editor.useAsCoverShort}
        </Button>
      )}
      <Button
        tone="quiet"
        icon={<Trash2 aria-hidden="true" />}
        onPress={() => set(pictures.toSpliced(index, 1))}
        label={text.editor.removePicture}
      >
        {text.editor.removePictureShort}
      </Button>
    </Toolbar>
  );
}
