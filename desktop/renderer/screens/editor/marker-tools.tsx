import { Circle, Maximize2, Minimize2, MoveUpRight, Slash, Square, Trash2 } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';

import { text } from '#desktop/renderer/text/en.ts';
import { BulletMark } from '#desktop/renderer/ui/bullet-mark.tsx';
import { bulletOfMarker, isColourBullet, type ColourBullet } from '#shared/rules/bullet-shapes.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { Menu } from '#desktop/renderer/ui/menu.tsx';
import { Toolbar } from '#desktop/renderer/ui/toolbar.tsx';
import { bullets } from '#shared/model/guide.ts';
import type { Drawing, MarkupColor, Size } from '#shared/formats/wikitext/markup.ts';

import { grownBy, markerKinds, type MarkerKind } from './marker-drawing.ts';
import styles from './step-media.module.css';

interface MarkerToolsProps {
  image: Size;
  /** The selected marker. */
  drawing: Drawing | undefined;
  color: MarkupColor;
  onAdd: (kind: MarkerKind) => void;
  onColour: (color: MarkupColor) => void;
  onChange: (drawing: Drawing) => void;
  onRemove: () => void;
  onDone: () => void;
}

const icons = { circle: Circle, rectangle: Square, arrow: MoveUpRight, line: Slash } as const;

/** Adds markers and changes the selected one. */
export function MarkerTools({
  image,
  drawing,
  color,
  onAdd,
  onColour,
  onChange,
  onRemove,
  onDone,
}: MarkerToolsProps) {
  const step = Math.max(image.width, image.height) / 40;
  const grow = (by: number) => () => drawing !== undefined && onChange(grownBy(drawing, by, image));
  return (
    <div className={classNames(styles, 'markerTools')}>
      <Toolbar label={text.editor.markers}>
        {markerKinds.map((kind) => {
          const Icon = icons[kind];
          return (
            <IconButton
              key={kind}
              label={text.editor.addMarker[kind]}
              icon={<Icon />}
              look="bordered"
              onPress={() => onAdd(kind)}
            />
          );
        })}
        <Colours color={color} onColour={onColour} />
        <IconButton
          label={text.editor.markerSmaller}
          icon={<Minimize2 />}
          isDisabled={drawing === undefined}
          onPress={grow(-step)}
        />
        <IconButton
          label={text.editor.markerLarger}
          icon={<Maximize2 />}
          isDisabled={drawing === undefined}
          onPress={grow(step)}
        />
        <IconButton
          label={text.editor.removeMarker}
          icon={<Trash2 />}
          isDisabled={drawing === undefined}
          onPress={onRemove}
        />
      </Toolbar>
      <Button onPress={onDone}>{text.editor.markersDone}</Button>
    </div>
  );
}

/** Marker colours, named after bullets so that a marker can refer to a line. */
function Colours({ color, onColour }: { color: MarkupColor; onColour: (color: MarkupColor) => void }) {
  const bullet = bulletOfMarker(color);
  return (
    <Menu
      label={text.editor.chooseMarkerColour}
      trigger={
        <AriaButton
          className={classNames(styles, 'colour')}
          aria-label={text.editor.markerColour(text.bullets[bullet])}
        >
          <BulletMark bullet={bullet} />
        </AriaButton>
      }
      groups={[
        {
          id: 'colours',
          title: text.editor.chooseMarkerColour,
          chosen: bullet,
          items: bullets.filter(isColourBullet).map((value) => ({
            id: value,
            name: text.bullets[value],
            icon: (
              <span aria-hidden="true">
                <BulletMark bullet={value} />
              </span>
            ),
            onAction: () => onColour(colourOf(value)),
          })),
        },
      ]}
    />
  );
}

function colourOf(bullet: ColourBullet): MarkupColor {
  return bullet === 'light_blue' ? 'lightBlue' : bullet;
}
