import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

/** Texts of the palette, which leads to any screen. They are loaded with it. */
export const paletteText = inLanguage('palette', {
  title: 'Go to',
  placeholder: 'Guide, part, order number, page, screen …',
  results: 'Results',
  count: message<[number: number]>('{number, plural, one {# result} other {# results}}', 'number'),
  groups: {
    continue: 'Continue',
    recent: 'Opened recently',
    code: 'Code',
    orders: 'Work orders',
    guides: 'Guides',
    categories: 'Categories',
    pages: 'Pages',
    numbers: 'Serial and lot numbers',
    screens: 'Screens',
    more: 'More',
  },
  continueOrder: message<[number: string]>('Continue {number}', 'number'),
  paused: message<[guide: string]>('{guide} · paused', 'guide'),
  openAddress: 'Open the scanned address',
  trace: message<[number: string]>('Everything about {number}', 'number'),
  searchAll: message<[words: string]>('Search all guides for “{words}”', 'words'),
  allScreens: 'All screens',
  nothing: message<[words: string]>('Nothing found for “{words}”', 'words'),
  nothingHint: 'Try fewer or other words, or a part of the number.',
  unknownCode: message<[code: string]>('Nothing on this device has the code “{code}”.', 'code'),
  unknownCodeSimilar: 'This is what a search for it finds:',
  foreignCode: message<[host: string]>('This code leads to {host}, which is not part of Benchbook.', 'host'),
  noCode: 'No code was found in the picture. Hold the camera closer, or type the code.',
  scan: 'Scan with the camera',
  keys: { move: 'to choose', open: 'to open', close: 'to close' },
  scanHint: 'A hand scanner works here, too.',
  screens: {
    stationHome: 'Home of the station',
    newPage: 'New page',
    newPlan: 'New course plan',
    favorites: 'Favourites',
    profile: 'My profile',
    settings: 'Settings',
  },
});
