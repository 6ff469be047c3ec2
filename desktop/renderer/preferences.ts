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
const listeners = new Set<() => void>();

function read(): Preferences {
  current ??= load();
  return current;
}

/** Sets the attributes of the page that `tokens.css` reads. */
export function applyPreferences(): void {
  const { density, theme } = read();
  document.documentElement.dataset['density'] = density;
  document.documentElement.dataset['theme'] = theme;
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
  }, read);
}
