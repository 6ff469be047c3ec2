import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

export const tracingText = inLanguage('tracing', {
  title: 'Trace',
  open: 'Trace a number',
  lead: 'Everything that happened to a unit, a part or a lot: orders, values, deviations, photos and revisions.',
  leadOwn:
    'Everything that you recorded about a unit, a part or a lot. Leads also find the work of their teams.',
  number: 'Serial or lot number',
  numberHint: 'Scan it, or type its first characters',
  suggestions: 'Show suggestions',
  noSuggestions: 'No number begins like this',
  find: 'Trace',
  findNamed: message<[number: string]>('Trace “{number}” in work orders', 'number'),
  traceNumber: message<[number: string]>('Trace {number}', 'number'),
  loading: 'Looking for orders',
  camera: 'Scan with the camera',

  about: 'Worked on',
  alsoAbout: 'Also worked on',
  part: 'Recorded in',
  ofRevision: 'Worked by this revision',
  summary: message<[about: number, part: number]>(
    '{about, plural, =0 {} one {Worked on in # order} other {Worked on in # orders}}{about, plural, =0 {} other {{part, plural, =0 {} other { · }}}}{part, plural, =0 {} one {Recorded in # order} other {Recorded in # orders}}',
    'about',
    'part',
  ),
  nothing: message<[number: string]>('No order with “{number}”', 'number'),
  nothingHint:
    'You see your own work orders; leads also see those of their teams. Check the number: spaces inside it count.',
  nothingRevision: 'No order was worked by this revision',
  nothingRevisionHint: 'You see your own work orders; leads also see those of their teams.',

  offline: 'You are offline',
  failed: 'The server could not be asked',
  onlyHere: 'You see only what this device carries. There may be more orders on the server.',
  again: 'Try again',
  waiting: 'Not on the server yet',

  more: message<[shown: number, total: number]>('{shown} of {total} orders are shown', 'shown', 'total'),
  showMore: 'Show more',
  exportCsv: 'Export as CSV',
  exportShown: message<[shown: number, total: number]>('Export {shown} of {total} as CSV', 'shown', 'total'),

  numbers: 'Serial or lot numbers',
  revision: message<[number: number]>('Revision {number}', 'number'),
  people: message<[names: string]>('By {names}', 'names'),
  period: message<[from: string, until: string]>('{from} – {until}', 'from', 'until'),
  since: message<[from: string]>('Since {from}', 'from'),
  allValues: message<[number: number]>('Show all {number} values', 'number'),
  fewerValues: 'Show fewer values',
  deviations: message<[number: number]>('{number, plural, one {# deviation} other {# deviations}}', 'number'),
  photo: message<[label: string, number: number]>('{label}, photo {number}', 'label', 'number'),
  missing: 'Missing',

  csv: {
    order: 'Work order',
    entry: 'Order id',
    guide: 'Guide',
    revision: 'Revision',
    status: 'Status',
    kind: 'Kind',
    name: 'Name',
    value: 'Value',
    unit: 'Unit',
    min: 'Lower limit',
    max: 'Upper limit',
    deviates: 'Deviates',
    person: 'Person',
    time: 'Time (UTC)',
    note: 'Note',
    serial: 'Serial or lot number',
    photo: 'Photo',
    yes: 'yes',
  },
});
