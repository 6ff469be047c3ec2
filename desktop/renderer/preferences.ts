import { useSyncExternalStore } from 'react';

/** Sizes of controls and text: for a mouse, for touch, and for gloved hands at a kiosk. */
export const densities = ['desktop', 'touch', 'kiosk'] as const;
export type Density = (typeof densities)[number];

/** Colour themes; `bright` is for work in sunlight. */
export const themes = ['system', 'light', 'dark', 'bright'] as const;
export type Theme = (typeof themes)[number];

export interface Preferences {
  density: Density;
  theme: Theme;
}

const densityKey = 'benchbook.density';
const themeKey = 'benchbook.theme';

function pick<T extends string>(known: readonly T[], value: string | null): T | undefined {
  return known.find((item) => item === value);
}

function load(): Preferences {
  const coarse = matchMedia('(pointer: coarse)').matches;
  return {
    density: pick(densities, localStorage.getItem(densityKey)) ?? (coarse ? 'touch' : 'desktop'),
    theme: pick(themes, localStorage.getItem(themeKey)) ?? 'system',
  };
}

let current: Preferences | null = null;
let isStation = false;
const listeners = new Set<() => void>();

function read(): Preferences {
  current ??= load();
  return current;
}

let last: Preferences | null = null;

/**
 * What applies now: a station has no mouse, so nothing is as small as at a desk, and it is light until somebody chooses
 * otherwise, whatever its system prefers.
 */
function worn(): Preferences {
  const { density: chosen, theme: wanted } = read();
  const theme = isStation && localStorage.getItem(themeKey) === null ? 'light' : wanted;
  const isSmall = chosen === 'desktop' || localStorage.getItem(densityKey) === null;
  const density = isStation && isSmall ? 'kiosk' : chosen;
  if (last?.density !== density || last.theme !== theme) last = { density, theme };
  return last;
}

/** Sets the attributes of the page that `tokens.css` reads. */
export function applyPreferences(): void {
  const { density, theme } = worn();
  document.documentElement.dataset['density'] = density;
  document.documentElement.dataset['theme'] = theme;
}

/** Makes controls as large as a station needs, until the returned function is called. */
export function wearStationLook(): () => void {
  isStation = true;
  applyPreferences();
  for (const listener of listeners) listener();
  return () => {
    isStation = false;
    applyPreferences();
    for (const listener of listeners) listener();
  };
}

/** Stores changed preferences on this device and applies them. */
export function changePreferences(change: Partial<Preferences>): void {
  current = { ...read(), ...change };
  localStorage.setItem(densityKey, current.density);
  localStorage.setItem(themeKey, current.theme);
  applyPreferences();
  for (const listener of listeners) listener();
}

/** The preferences of this device; renders again when they change. */
export function usePreferences(): Preferences {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, worn);
}
