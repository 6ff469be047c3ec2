import type { StationHealth, StationLockReason } from '#desktop/engine/api/station-records.ts';
import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

type Why = [name: string, time: string];

const inSeconds = message<[number: number]>('{number, plural, one {# second} other {# seconds}}', 'number');
const inMinutes = message<[number: number]>('{number, plural, one {# minute} other {# minutes}}', 'number');

const why = {
  started: () => null,
  idle: message<Why>(
    'Locked because nobody touched the screen for {time}. {name} can go on where they were.',
    'name',
    'time',
  ),
  'shut-out': () => null,
  locked: message<Why>('Locked by {name}, who can go on where they were.', 'name', 'time'),
  'signed-out': message<Why>('{name} signed out.', 'name', 'time'),
  'person-removed': message<Why>(
    '{name} no longer belongs to this station, and was signed out. Everything recorded is kept.',
    'name',
    'time',
  ),
  'badge-revoked': message<Why>(
    'The badge of {name} is no longer valid, so they were signed out. Everything recorded is kept.',
    'name',
    'time',
  ),
  'pin-changed': message<Why>(
    'The PIN of {name} was changed, so they were signed out. Everything recorded is kept. The new PIN works.',
    'name',
    'time',
  ),
} satisfies Record<StationLockReason, (...of: Why) => string | null>;

/** Texts of stations. Screens that load late import them directly, so that the first screen loads without them. */
export const stationText = inLanguage('station', {
  lock: {
    title: 'Locked',
    badge: 'Scan your badge',
    choose: 'Choose your name',
    pin: 'Enter your PIN',
    orChoose: 'or choose your name',
    orPin: 'or enter your PIN',
    withPin: 'Enter a PIN',
    nobody: 'Nobody can sign in here yet',
    nobodyHint: 'An administrator or lead adds people to this station.',
    why,
    seconds: (seconds: number) => (seconds < 120 ? inSeconds(seconds) : inMinutes(Math.round(seconds / 60))),
    again: 'Here last',
    noWay: 'No PIN or badge yet',
    badgeOnly: 'With badge only',
    people: 'People',
    letters: 'First letter',
    everybody: 'All',
    find: 'Find a name',
    noneFound: 'Nobody here has a name like this.',
    checking: 'Checking …',
    wrongBadge: 'Nobody at this station has this badge. Try again, or choose your name.',
    wrongPin: 'This PIN is wrong. Try again.',
    ambiguous: 'Several people have this PIN. Go back, and choose your name.',
    waitPerson: message<[time: string]>('Too many wrong PINs. Try again in {time}.', 'time'),
    waitAll: message<[time: string]>(
      'Too many wrong tries. This station takes badges and PINs again in {time}.',
      'time',
    ),
    scanWithCamera: 'Scan the badge with the camera',
    noCode: 'There is no code in this picture. Take it closer, with more light.',
    running: 'Running now',
    clock: 'Time',
    atStep: (number: number | null, title: string) =>
      [number === null ? '' : `step ${number}`, title].filter((part) => part !== '').join(', '),
    goesOn: 'goes on while the station is locked',
    worked: 'Time worked',
    safe: 'Everything recorded here is safe on this station.',
    waits: message<[number: number]>(
      '{number, plural, one {# change waits} other {# changes wait}} for the network.',
      'number',
    ),
    waitsForCode: message<[number: number]>(
      '{number, plural, one {# change waits} other {# changes wait}} until it is enrolled again.',
      'number',
    ),
    sending: message<[number: number]>(
      '{number, plural, one {# change is} other {# changes are}} being sent.',
      'number',
    ),
    shutOut: 'This station is shut out from the server',
    shutOutHint:
      'Nobody can sign in until an administrator enrols it again, with a new code. Everything recorded here is kept, and is sent then.',
    trouble: 'When something is wrong',
    back: 'Back',
  },
  pad: {
    label: 'PIN',
    entered: message<[digits: number]>('{digits, plural, one {# digit} other {# digits}} entered', 'digits'),
    remove: 'Remove the last digit',
    signIn: 'Sign in',
    notYou: 'Somebody else',
  },
  health: {
    title: 'When something is wrong',
    lead: 'Read this to your support on the phone, or let them scan the code.',
    station: 'Station',
    named: message<[name: string, id: number]>('{name}, number {id}', 'name', 'id'),
    server: 'Server',
    state: 'What is wrong',
    nothing: 'Nothing is wrong. The server was reached a moment ago.',
    offline: message<[contact: string]>(
      'The server has not answered since {contact}. Check the network of this station.',
      'contact',
    ),
    shutOut:
      'An administrator shut this station out, or enrolled it on another device. It must be enrolled again, with a new code.',
    disk: {
      ok: null,
      full: 'The disk is full. New work may be lost: free some space first.',
      none: 'This device cannot store anything. New work is lost: use another device.',
    } satisfies Record<StationHealth['disk'], string | null>,
    clock: (minutes: number) =>
      `The clock of this station is ${inMinutes(Math.abs(minutes))} ${minutes > 0 ? 'slow' : 'fast'}.`,
    contact: 'Last contact',
    safe: 'What is safe',
    allSafe: 'Everything recorded here is saved on this device.',
    allSent: 'Everything recorded here is on the server.',
    waiting: 'What waits',
    nothingWaits: 'Nothing waits',
    ofPerson: message<[name: string, number: number, since: string]>(
      '{name}: {number, plural, one {# change} other {# changes}} since {since}',
      'name',
      'number',
      'since',
    ),
    needLead: message<[number: number]>(
      '{number, plural, one {{number} needs} other {{number} need}} a lead, because the person no longer belongs here',
      'number',
    ),
    refused: message<[number: number]>(
      '{number, plural, one {1 was refused by the server: somebody must look at it} other {{number} were refused by the server: somebody must look at them}}',
      'number',
    ),
    tries: 'Wrong badges and PINs',
    version: 'Version',
    qr: 'The same as a QR code',
    administrators: 'For administrators',
    leave: 'End station mode',
    enrolAgain: 'Enrol again',
    notHere: 'This device is not a station.',
  },
});
