import {
  changePreferences,
  densities,
  type Density,
  themes,
  usePreferences,
} from '#desktop/renderer/preferences.ts';
import { text } from '#desktop/renderer/text/en.ts';

/** The groups of a menu that choose the size of controls, out of `sizes`, and the theme. */
export function useDisplayGroups(sizes: readonly Density[] = densities) {
  const { density, theme } = usePreferences();
  return {
    density: {
      id: 'density',
      title: text.app.density,
      chosen: density,
      items: sizes.map((id) => ({
        id,
        name: text.app.densities[id],
        onAction: () => changePreferences({ density: id }),
      })),
    },
    theme: {
      id: 'theme',
      title: text.app.theme,
      chosen: theme,
      items: themes.map((id) => ({
        id,
        name: text.app.themes[id],
        onAction: () => changePreferences({ theme: id }),
      })),
    },
  };
}
