import { matchRoute, useRouter, type StringRouteParams } from 'wouter';

import { screenList, type Screen, type ScreenName } from '#shared/rules/screens.ts';

/** A screen with the parameters of its address. */
export interface FoundScreen {
  name: ScreenName;
  screen: Screen;
  params: StringRouteParams<string>;
}

/** The screen at an address. */
export function useScreenAt(path: string): FoundScreen | undefined {
  const { parser } = useRouter();
  for (const [name, screen] of screenList) {
    const [isHere, params] = matchRoute(parser, screen.path, path);
    if (isHere) return { name, screen, params };
  }
  return undefined;
}
