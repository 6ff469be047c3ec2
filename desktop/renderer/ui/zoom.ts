/** The view of a picture: scale, and the offset of its centre in px. */
export interface ZoomView {
  scale: number;
  x: number;
  y: number;
}

export interface ZoomSize {
  width: number;
  height: number;
}

/** The whole picture, centred. */
export const wholePicture: ZoomView = { scale: 1, x: 0, y: 0 };
const largestScale = 8;

/** Limits the scale and keeps the picture inside the window. */
function clamped({ scale, x, y }: ZoomView, { width, height }: ZoomSize): ZoomView {
  const limited = Math.min(largestScale, Math.max(1, scale));
  const roomX = ((limited - 1) * width) / 2;
  const roomY = ((limited - 1) * height) / 2;
  return { scale: limited, x: Math.min(roomX, Math.max(-roomX, x)), y: Math.min(roomY, Math.max(-roomY, y)) };
}

/** Scales by `factor` around a point (px from the centre of the window). */
export function zoomAt(
  view: ZoomView,
  factor: number,
  point: { x: number; y: number },
  size: ZoomSize,
): ZoomView {
  const scale = Math.min(largestScale, Math.max(1, view.scale * factor));
  const ratio = scale / view.scale;
  return clamped(
    { scale, x: point.x - (point.x - view.x) * ratio, y: point.y - (point.y - view.y) * ratio },
    size,
  );
}

/** Moves the picture by px. */
export function panBy(view: ZoomView, dx: number, dy: number, size: ZoomSize): ZoomView {
  return clamped({ ...view, x: view.x + dx, y: view.y + dy }, size);
}
