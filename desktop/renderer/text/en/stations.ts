import type { StationHealth, StationLockReason } from '#desktop/engine/api/station-records.ts';

import { count } from '../plural.ts';

const changes = (number: number) => count(number, 'change', 'changes');
const why: Record<StationLockReason, (name: string, minutes: string) => string | null> = {
  started: () => null,
  idle: (name, time) =>
    `Locked because nobody touched the screen for ${time}. ${name} can go on where they were.`,
  'shut-out': () => null,
  locked: (name) => `Locked by ${name}, who can go on where they were.`,
  'signed-out': (name) => `${name} signed out.`,
  'person-removed': (name) =>
    `${name} no longer belongs to this station, and was signed out. Everything recorded is kept.`,
  'badge-revoked': (name) =>
    `The badge of ${name} is no longer valid, so they were signed out. Everything recorded is kept.`,
  'pin-changed': (name) =>
    `The PIN of ${name} was changed, so they were signed out. Everything recorded is kept. The new PIN works.`,
};

/** Texts of stations. Screens that load late import them directly, so that the first screen loads without them. */
export const stationText = {
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
    seconds: (seconds: number) =>
      seconds < 120
        ? count(seconds, 'second', 'seconds')
        : count(Math.round(seconds / 60), 'minute', 'minutes'),
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
    waitPerson: (time: string) => `Too many wrong PINs. Try again in ${time}.`,
    waitAll: (time: string) => `Too many wrong tries. This station takes badges and PINs again in ${time}.`,
    scanWithCamera: 'Scan the badge with the camera',
    noCode: 'There is no code in this picture. Take it closer, with more light.',
    running: 'Running now',
    clock: 'Time',
    atStep: (number: number | null, title: string) =>
      [number === null ? '' : `step ${number}`, title].filter((part) => part !== '').join(', '),
    goesOn: 'goes on while the station is locked',
    worked: 'Time worked',
    safe: 'Everything recorded here is safe on this station.',
    waits: (number: number) => `${changes(number)} ${number === 1 ? 'waits' : 'wait'} for the network.`,
    waitsForCode: (number: number) =>
      `${changes(number)} ${number === 1 ? 'waits' : 'wait'} until it is enrolled again.`,
    sending: (number: number) => `${changes(number)} ${number === 1 ? 'is' : 'are'} being sent.`,
    shutOut: 'This station is shut out from the server',
    shutOutHint:
      'Nobody can sign in until an administrator enrols it again, with a new code. Everything recorded here is kept, and is sent then.',
    trouble: 'When something is wrong',
    back: 'Back',
  },
  pad: {
    label: 'PIN',
    entered: (digits: number) => `${count(digits, 'digit', 'digits')} entered`,
    remove: 'Remove the last digit',
    signIn: 'Sign in',
    notYou: 'Somebody else',
  },
  health: {
    title: 'When something is wrong',
    lead: 'Read this to your support on the phone, or let them scan the code.',
    station: 'Station',
    named: (name: string, id: number) => `${name}, number ${id}`,
    server: 'Server',
    state: 'What is wrong',
    nothing: 'Nothing is wrong. The server was reached a moment ago.',
    offline: (contact: string) =>
      `The server has not answered since ${contact}. Check the network of this station.`,
    shutOut:
      'An administrator shut this station out, or enrolled it on another device. It must be enrolled again, with a new code.',
    disk: {
      ok: null,
      full: 'The disk is full. New work may be lost: free some space first.',
      none: 'This device cannot store anything. New work is lost: use another device.',
    } satisfies Record<StationHealth['disk'], string | null>,
    clock: (minutes: number) =>
      `The clock of this station is ${count(Math.abs(minutes), 'minute', 'minutes')} ${minutes > 0 ? 'slow' : 'fast'}.`,
    contact: 'Last contact',
    safe: 'What is safe',
    allSafe: 'Everything recorded here is saved on this device.',
    allSent: 'Everything recorded here is on the server.',
    waiting: 'What waits',
    nothingWaits: 'Nothing waits',
    ofPerson: (name: string, number: number, since: string) => `${name}: ${changes(number)} since ${since}`,
    needLead: (number: number) =>
      `${number} ${number === 1 ? 'needs' : 'need'} a lead, because the person no longer belongs here`,
    refused: (number: number) =>
      number === 1
        ? '1 was refused by the server: somebody must look at it'
        : `${number} were refused by the server: somebody must look at them`,
    tries: 'Wrong badges and PINs',
    version: 'Version',
    qr: 'The same as a QR code',
    administrators: 'For administrators',
    leave: 'End station mode',
    enrolAgain: 'Enrol again',
    notHere: 'This device is not a station.',
  },
};
