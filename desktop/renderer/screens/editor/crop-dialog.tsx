import { RotateCcw, RotateCw, Scan } from 'lucide-react';
import { useEffect, useState, type KeyboardEvent } from 'react';

import type { MadePicture } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { cropText } from '#desktop/renderer/text/en/crop.ts';
import { formatNumber } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { Loading } from '#desktop/renderer/ui/loading.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { SegmentedField } from '#desktop/renderer/ui/segmented-field.tsx';
import { Toolbar } from '#desktop/renderer/ui/toolbar.tsx';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';
import { Problem } from '#shared/api/problem.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { maxPixels, mostUploadMegabytes } from '#shared/model/upload-limits.ts';
import { type Cut, carriedMarkup, isWhole, turnedSize, pictureRefusal } from '#shared/rules/picture-cut.ts';

import { type Proportion, hasRoomForFourThree, proportioned, turnedCut, wholeArea } from './crop-area.ts';
import styles from './crop-dialog.module.css';
import { CropStage } from './crop-stage.tsx';
import { cutPicture, nameOfCut, typeOfPicture } from './cut-picture.ts';

interface CropDialogProps {
  picture: ImageRef;
  onClose: () => void;
  /** Puts the new picture in the place of this one. */
  onApply: (made: MadePicture) => Promise<void>;
}

/**
 * Crops and rotates a picture, in a copy of it.
 *
 * - PICTURE-3 The new picture is upright, whatever the EXIF data of the original say. It is a PNG if the original is a
 *   PNG or another picture without loss, else a JPEG.
 * - PICTURE-4 Pointer, touch and keys do the same: arrow keys move the frame, with Shift they resize it, Enter applies,
 *   Escape cancels. What is dropped or refused is told before.
 */
export function CropDialog({ picture, onClose, onApply }: CropDialogProps) {
  const source = useSource(picture.guid);
  const [changed, setChanged] = useState<Cut | null>(null);
  const [proportion, setProportion] = useState<Proportion>('free');
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const opened = source !== null && 'bitmap' in source ? source : null;
  const whole: Cut | null = opened && { turn: 0, area: wholeArea(opened.bitmap) };
  const cut = changed ?? whole;
  const refusal = cut && pictureRefusal(cut.area);
  const canApply = opened !== null && cut !== null && refusal === null && !isWhole(cut, opened.bitmap);
  const change = (next: Cut) => {
    setFailure(null);
    setChanged(next);
  };
  const apply = async () => {
    if (!canApply || isBusy) return;
    setIsBusy(true);
    try {
      const { bitmap, type, filename } = opened;
      const file = await cutPicture(bitmap, cut, type);
      const refused = pictureRefusal(cut.area, file.size);
      if (refused !== null) return setFailure(wordsOf(refused));
      const { markup } = carriedMarkup(picture.markup, picture, bitmap, cut);
      await onApply({ file, filename: nameOfCut(filename, type), markup });
      onClose();
    } catch (error) {
      setFailure(errorMessage(error));
    } finally {
      setIsBusy(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isButton = event.target instanceof Element && event.target.closest('button') !== null;
    if (event.key !== 'Enter' || isButton) return;
    event.preventDefault();
    void apply();
  };
  return (
    <Dialog
      title={cropText.title}
      isOpen
      onClose={onClose}
      size="sheet"
      closeLabel={cropText.cancel}
      actions={
        <>
          <Button onPress={onClose}>{cropText.cancel}</Button>
          <Button tone="primary" isDisabled={!canApply} isPending={isBusy} onPress={() => void apply()}>
            {cropText.apply}
          </Button>
        </>
      }
    >
      <div className={classNames(styles, 'crop')} onKeyDown={onKeyDown}>
        {source === null && <Loading label={cropText.opening} />}
        {source !== null && 'failure' in source && (
          <div className={classNames(styles, 'failed')}>
            <Notice tone="danger" title={source.failure}>
              {source.hint}
            </Notice>
          </div>
        )}
        {opened !== null && cut !== null && (
          <>
            <CropStage
              bitmap={opened.bitmap}
              picture={picture}
              cut={cut}
              proportion={proportion}
              onChange={(area) => change({ ...cut, area })}
            />
            <div className={classNames(styles, 'below')}>
              <CropTools
                source={opened}
                cut={cut}
                proportion={proportion}
                onChange={change}
                onProportion={setProportion}
              />
              <Told picture={picture} source={opened} cut={cut} />
            </div>
            {failure !== null && (
              <Notice tone="danger" title={cropText.failed}>
                {failure}
              </Notice>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}

function wordsOf(refusal: 'pixels' | 'bytes'): string {
  return refusal === 'pixels'
    ? cropText.tooManyPixels(maxPixels / 1_000_000)
    : cropText.tooLarge(mostUploadMegabytes);
}

/** A picture that can be cropped. */
interface Source {
  bitmap: ImageBitmap;
  type: string;
  filename: string;
  isSmaller: boolean;
}

/** The picture, upright; null while it is being opened. */
function useSource(guid: string): Source | { failure: string; hint?: string } | null {
  const actions = useActions();
  const [source, setSource] = useState<ReturnType<typeof useSource>>(null);
  useEffect(() => {
    let isOver = false;
    let opened: ImageBitmap | null = null;
    const open = async () => {
      const { file, ...facts } = await actions.readPicture(guid);
      const type = await typeOfPicture(file);
      const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
      if (isOver) return bitmap.close();
      opened = bitmap;
      setSource({ ...facts, bitmap, type });
    };
    open().catch((error: unknown) => {
      if (!isOver) setSource(failureOf(error));
    });
    return () => {
      isOver = true;
      opened?.close();
    };
  }, [actions, guid]);
  return source;
}

function failureOf(error: unknown): { failure: string; hint?: string } {
  if (error instanceof Problem && error.kind === 'not-found')
    return { failure: cropText.notHere, hint: cropText.notHereHint };
  if (error instanceof DOMException) return { failure: cropText.unreadable };
  return { failure: cropText.unreadable, hint: errorMessage(error) };
}

interface CropToolsProps {
  source: Source;
  cut: Cut;
  proportion: Proportion;
  onChange: (cut: Cut) => void;
  onProportion: (proportion: Proportion) => void;
}

function CropTools({ source: { bitmap }, cut, proportion, onChange, onProportion }: CropToolsProps) {
  const size = turnedSize(bitmap, cut.turn);
  const propose = (next: Proportion) => {
    onProportion(next);
    onChange({ ...cut, area: proportioned(cut.area, next, size) });
  };
  const reset = () => {
    onProportion('free');
    onChange({ turn: 0, area: wholeArea(bitmap) });
  };
  const turn = (by: 90 | 270) => () => onChange(turnedCut(cut, by, proportion, bitmap));
  const names = cropText.proportionNames;
  return (
    <div className={classNames(styles, 'tools')}>
      <Toolbar label={cropText.tools}>
        <IconButton label={cropText.rotateLeft} icon={<RotateCcw />} look="bordered" onPress={turn(270)} />
        <IconButton label={cropText.rotateRight} icon={<RotateCw />} look="bordered" onPress={turn(90)} />
        <IconButton label={cropText.reset} icon={<Scan />} look="bordered" onPress={reset} />
      </Toolbar>
      <div className={classNames(styles, 'proportions')}>
        <SegmentedField
          label={cropText.proportions}
          hideLabel
          look="compact"
          isDisabled={!hasRoomForFourThree(size)}
          segments={[
            { id: 'free', name: names.free },
            { id: 'fourThree', name: names.fourThree },
          ]}
          value={proportion}
          onChange={(id) => propose(id === 'fourThree' ? 'fourThree' : 'free')}
        />
      </div>
    </div>
  );
}

/** What the new picture will be like, and what gets lost. */
function Told({ picture, source, cut }: { picture: ImageRef; source: Source; cut: Cut }) {
  const { bitmap, type, isSmaller } = source;
  const { dropped } = carriedMarkup(picture.markup, picture, bitmap, cut);
  const refusal = pictureRefusal(cut.area);
  const isChanged = !isWhole(cut, bitmap);
  return (
    <div className={classNames(styles, 'told')} role="status">
      <p>{cropText.size(formatNumber(cut.area.width), formatNumber(cut.area.height))}</p>
      {dropped > 0 && isChanged && <p className={classNames(styles, 'warn')}>{cropText.dropped(dropped)}</p>}
      {refusal !== null && <p className={classNames(styles, 'danger')}>{wordsOf(refusal)}</p>}
      {isSmaller && <Note>{cropText.smaller}</Note>}
      {type === 'image/gif' && <Note>{cropText.still}</Note>}
    </div>
  );
}
