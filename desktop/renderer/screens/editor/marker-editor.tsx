import { useState } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import type { ImageRef } from '#shared/model/image.ts';
import {
  type Drawing,
  type MarkupColor,
  formatMarkup,
  parseMarkup,
} from '#shared/formats/wikitext/markup.ts';

import { newDrawing, type MarkerKind } from './marker-drawing.ts';
import { MarkerStage } from './marker-stage.tsx';
import { MarkerTools } from './marker-tools.tsx';
import styles from './step-media.module.css';

interface MarkerEditorProps {
  picture: ImageRef;
  alt: string;
  /** Stores the new markup. Resolves when it is in the draft. */
  onChange: (markup: string) => Promise<void>;
  onDone: () => void;
}

/** The picture with its markers, which can be selected and moved, and the toolbar. */
export function MarkerEditor({ picture, alt, onChange, onDone }: MarkerEditorProps) {
  const { draw, put } = useDrawings(picture, onChange);
  const [chosen, setChosen] = useState<number | null>(draw.length === 1 ? 0 : null);
  const [color, setColor] = useState<MarkupColor>('red');
  const index = chosen !== null && chosen < draw.length ? chosen : null;
  const drawing = index === null ? undefined : draw[index];
  const change = (at: number, next: Drawing) => put(draw.with(at, next));
  const add = (kind: MarkerKind) => {
    put([...draw, newDrawing(kind, color, picture)]);
    setChosen(draw.length);
  };
  const remove = (at: number) => {
    put(draw.toSpliced(at, 1));
    setChosen(null);
  };
  const recolour = (next: MarkupColor) => {
    setColor(next);
    if (index !== null && drawing !== undefined) change(index, { ...drawing, color: next });
  };
  return (
    <div className={classNames(styles, 'stage', 'withTools')}>
      <div className={classNames(styles, 'marking')}>
        <Picture guid={picture.guid} size="large" alt={alt} fit="contain" dimensions={picture} />
        <MarkerStage
          image={picture}
          drawings={draw}
          chosen={index}
          onChoose={setChosen}
          onChange={change}
          onRemove={remove}
        />
      </div>
      <div className={classNames(styles, 'toolsBelow')}>
        <MarkerTools
          image={picture}
          drawing={drawing}
          color={drawing?.color ?? color}
          onAdd={add}
          onColour={recolour}
          onChange={(next) => index !== null && change(index, next)}
          onRemove={() => index !== null && remove(index)}
          onDone={onDone}
        />
        <p className={classNames(styles, 'keys')}>{text.editor.markerKeys}</p>
      </div>
    </div>
  );
}

/** The drawings of a picture. Changes show immediately, before the draft confirms them. */
function useDrawings(
  { markup }: ImageRef,
  onChange: (markup: string) => Promise<void>,
): { draw: readonly Drawing[]; put: (draw: readonly Drawing[]) => void } {
  const [ahead, setAhead] = useState<readonly Drawing[] | null>(null);
  const stored = parseMarkup(markup ?? '');
  const put = (draw: readonly Drawing[]) => {
    setAhead(draw);
    void onChange(formatMarkup({ ...stored, draw })).then(() =>
      setAhead((now) => (now === draw ? null : now)),
    );
  };
  return { draw: ahead ?? stored.draw, put };
}
