import { useEffect, useState } from 'react';

const tokens = ['ink', 'muted', 'line', 'edge', 'surface', 'accent', 'ok', 'warn', 'danger'] as const;

/** What a chart takes from the design: a canvas knows no style sheets. Colours as `rgb(…)`; sizes in px. */
export type ChartLook = Record<(typeof tokens)[number], string> & {
  font: string;
  textSize: number;
  lineWidth: number;
};

/** Counts changes of theme, density or contrast, after which a chart is drawn again. */
export function useLookChanges(): number {
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    const again = () => setChanges((before) => before + 1);
    const observer = new MutationObserver(again);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-density'] });
    const media = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)'].map((one) => matchMedia(one));
    for (const one of media) one.addEventListener('change', again);
    return () => {
      observer.disconnect();
      for (const one of media) one.removeEventListener('change', again);
    };
  }, []);
  return changes;
}

/** The look at an element as it is now. */
export function lookAt(element: HTMLElement): ChartLook {
  const probe = document.createElement('span');
  element.append(probe);
  const colours = Object.fromEntries(
    tokens.map((token) => {
      probe.style.color = `var(--${token})`;
      return [token, rgbOf(getComputedStyle(probe).color)];
    }),
  ) as Record<(typeof tokens)[number], string>;
  probe.style.fontSize = 'var(--text-xs)';
  probe.style.borderTop = 'var(--hairline) solid';
  const style = getComputedStyle(probe);
  const look = {
    ...colours,
    font: style.fontFamily,
    textSize: Number.parseFloat(style.fontSize),
    lineWidth: Number.parseFloat(style.borderTopWidth) || 1,
  };
  probe.remove();
  return look;
}

/** A colour of the style sheet as `rgb(…)`: the chart library does not read `oklch(…)`. */
function rgbOf(colour: string): string {
  const pixel = new OffscreenCanvas(1, 1).getContext('2d');
  if (pixel === null) return colour;
  pixel.fillStyle = colour;
  pixel.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = pixel.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}
