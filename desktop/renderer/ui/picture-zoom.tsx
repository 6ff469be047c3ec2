import { Minus, Plus, Scan } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';

import { text } from '#desktop/renderer/text/en.ts';

import { classNames } from './class-names.ts';
import { Dialog } from './dialog.tsx';
import { IconButton } from './icon-button.tsx';
import styles from './picture-zoom.module.css';
import { Toolbar } from './toolbar.tsx';
import { panBy, wholePicture, zoomAt, type ZoomSize, type ZoomView } from './zoom.ts';

interface PictureZoomProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** The picture, rendered with `contain`. */
  children: ReactNode;
}

/** A full-window picture viewer: pinch, wheel, drag, buttons, or the keys + - 0 and the arrows. */
export function PictureZoom({ title, isOpen, onClose, children }: PictureZoomProps) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose} closeLabel={text.app.close} size="sheet">
      <ZoomArea>{children}</ZoomArea>
    </Dialog>
  );
}

const keyPan = 80;

function ZoomArea({ children }: { children: ReactNode }) {
  const [view, setView] = useState<ZoomView>(wholePicture);
  const area = useRef<HTMLDivElement>(null);
  const size = (): ZoomSize => ({
    width: area.current?.clientWidth ?? 0,
    height: area.current?.clientHeight ?? 0,
  });
  const zoom = (factor: number, point = { x: 0, y: 0 }) =>
    setView((now) => zoomAt(now, factor, point, size()));
  const pan = (dx: number, dy: number) => setView((now) => panBy(now, dx, dy, size()));
  const reset = () => setView(wholePicture);
  useWheel(area, zoom);
  const gestures = useGestures(area, zoom, pan);
  return (
    <div className={classNames(styles, 'zoom')}>
      <div
        ref={area}
        className={classNames(styles, 'area')}
        role="group"
        aria-label={text.player.zoomArea}
        tabIndex={0}
        onKeyDown={(event) => handleKey(event, { zoom, pan, reset })}
        {...gestures}
      >
        <div
          className={classNames(styles, 'content')}
          style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
          data-scale={view.scale.toFixed(2)}
        >
          {children}
        </div>
      </div>
      <div className={classNames(styles, 'tools')}>
        <Toolbar label={text.player.zoom}>
          <IconButton
            look="floating"
            label={text.player.zoomOut}
            icon={<Minus />}
            onPress={() => zoom(1 / 1.5)}
          />
          <IconButton look="floating" label={text.player.zoomReset} icon={<Scan />} onPress={reset} />
          <IconButton look="floating" label={text.player.zoomIn} icon={<Plus />} onPress={() => zoom(1.5)} />
        </Toolbar>
      </div>
    </div>
  );
}

interface Moves {
  zoom: (factor: number, point?: { x: number; y: number }) => void;
  pan: (dx: number, dy: number) => void;
  reset: () => void;
}

function handleKey(event: KeyboardEvent, { zoom, pan, reset }: Moves): void {
  const moves: Record<string, () => void> = {
    '+': () => zoom(1.5),
    '=': () => zoom(1.5),
    '-': () => zoom(1 / 1.5),
    '0': reset,
    ArrowLeft: () => pan(keyPan, 0),
    ArrowRight: () => pan(-keyPan, 0),
    ArrowUp: () => pan(0, keyPan),
    ArrowDown: () => pan(0, -keyPan),
  };
  const move = moves[event.key];
  if (!move) return;
  event.preventDefault();
  move();
}

type AreaRef = React.RefObject<HTMLDivElement | null>;

function fromMiddle(area: AreaRef, x: number, y: number): { x: number; y: number } {
  const box = area.current?.getBoundingClientRect();
  return box ? { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 } : { x: 0, y: 0 };
}

/** React attaches passive wheel listeners, which could not stop the page from scrolling. */
function useWheel(area: AreaRef, zoom: Moves['zoom']): void {
  const latest = useRef(zoom);
  useEffect(() => {
    latest.current = zoom;
  });
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      latest.current(Math.exp(-event.deltaY / 400), fromMiddle(area, event.clientX, event.clientY));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [area]);
}

/** One pointer drags, two pinch. */
function useGestures(area: AreaRef, zoom: Moves['zoom'], pan: Moves['pan']) {
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const release = (event: PointerEvent) => {
    pointers.current.delete(event.pointerId);
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    },
    onPointerMove: (event: PointerEvent) => {
      const before = pointers.current.get(event.pointerId);
      if (!before) return;
      const now = { x: event.clientX, y: event.clientY };
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      pointers.current.set(event.pointerId, now);
      if (!other) return pan(now.x - before.x, now.y - before.y);
      const spread = (point: { x: number; y: number }) => Math.hypot(point.x - other.x, point.y - other.y);
      zoom(
        spread(now) / Math.max(1, spread(before)),
        fromMiddle(area, (now.x + other.x) / 2, (now.y + other.y) / 2),
      );
    },
    onPointerUp: release,
    onPointerCancel: release,
  };
}
