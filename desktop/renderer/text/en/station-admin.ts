import type { Station, StationSettings } from '#shared/model/station.ts';
import type { StationPinRefusal } from '#shared/rules/stations.ts';

import { count } from '../plural.ts';

const changes = (number: number) => count(number, 'change', 'changes');

/** Texts of the administration of stations, badges and PINs. */
export const stationAdminText = {
  title: 'Stations',
  lead: 'Shared screens on the shop floor. People sign in there with a badge or a PIN, without a network too.',
  failed: 'Couldn’t load the stations',
  forLeads: 'For administrators and leads',
  none: 'There are no stations yet',
  noneHint: 'Make one here. You get a code, which you enter on the device.',
  noneHintForLeads: 'An administrator makes them, and puts them into your team.',
  make: 'Make a station',
  name: 'Name',
  nameHint: 'As people on the shop floor call it, such as “Assembly 3”',
  needName: 'Enter a name',
  place: 'Place',
  placeHint: 'Where it stands',
  made: (name: string) => `${name} was made`,

  statuses: {
    waiting: 'Waits for its device',
    enrolled: 'Enrolled',
    revoked: 'Shut out',
  } satisfies Record<Station['status'], string>,
  connected: 'Connected',
  silent: 'No contact',
  contact: (since: string) => `Last contact ${since}`,
  never: 'No contact yet',
  version: (version: string) => `Version ${version}`,
  waits: (number: number, since: string | null) =>
    `${changes(number)} ${number === 1 ? 'waits' : 'wait'} on it${since === null ? '' : `, the oldest from ${since}`}`,
  nothingWaits: 'Nothing waits on it',
  waitsSince: (number: number, since: string | null) =>
    `${changes(number)}${since === null ? '' : `, the oldest from ${since}`}`,
  nothing: 'Nothing',
  formerWait: (number: number) => `${count(number, 'former member', 'former members')} to decide`,

  over: 'All stations',
  state: 'State',
  device: 'Device',
  appVersion: 'Version',
  lastContact: 'Last contact',
  waiting: 'Waits on it',
  tries: 'Wrong badges and PINs',
  enrolled: 'Enrolled on',

  enrolment: 'Enrolment',
  newCode: 'New code',
  newCodeHint:
    'A device that enrols with a new code replaces the present one. What waits on a device stays there.',
  code: 'Code for the device',
  codeHint: (time: string) =>
    `Valid until ${time}, for one device. On it, choose “This device is a station” on the sign-in screen, or scan this code.`,
  exitCode: 'Exit code',
  exitCodeHint:
    'Ends station mode on the device, without a network too. Keep it where only administrators find it: it is shown only now. Earlier exit codes end at the next contact of the station.',
  codeQr: 'The code as a QR code',
  hideCode: 'Done',
  revoke: 'Shut out',
  revokeTitle: (name: string) => `Shut ${name} out?`,
  revokeBody:
    'Its device can send and read nothing any more, at once. What waits on it stays there, and is sent when it is enrolled again with a new code.',
  revoked: (name: string) => `${name} is shut out`,

  settings: 'Settings',
  save: 'Save',
  saved: 'Saved',
  idle: 'Locks after',
  idleUnit: 'seconds',
  needIdle: 'Enter 15 to 3600 seconds',
  ways: 'How people sign in',
  way: {
    badge: 'With a badge',
    tile: 'With their name and PIN',
    pin: 'With a PIN alone',
  } satisfies Record<StationSettings['sign_in'][number], string>,
  needWay: 'Choose at least one way',
  notice: 'Notice',
  noticeHint: 'What everybody there should know, in one or two sentences',
  categories: 'Categories of its guides',
  tags: 'Tags of its guides',
  listHint: 'Separated by commas. These guides come first, and are kept for work without a network.',
  teams: 'Teams',
  noTeams: 'There are no teams on this device.',

  people: 'People',
  peopleHint: 'Members of its teams, and people added by name.',
  noPeople: 'Nobody can sign in there yet.',
  by: { team: 'By team', name: 'By name' },
  pin: 'PIN',
  noPin: 'No PIN',
  badges: (number: number) => (number === 0 ? 'No badge' : count(number, 'badge', 'badges')),
  addPerson: 'Add a person',
  person: 'Person',
  choosePerson: 'Choose a person',
  add: 'Add',
  remove: 'Remove',
  removeNamed: (name: string) => `Remove ${name}`,

  former: 'Former members',
  formerHint:
    'The station still holds what these people recorded. It is sent only if you accept it, and within seven days.',
  formerFacts: (until: string, earliest: string, latest: string) =>
    `Member until ${until}. Recorded between ${earliest} and ${latest}, as the station says.`,
  accept: 'Accept',
  acceptNamed: (name: string) => `Accept what ${name} recorded`,
  refuse: 'Refuse',
  refuseNamed: (name: string) => `Refuse what ${name} recorded`,
  accepted: 'Accepted',
  refused: 'Refused',

  arrivals: 'What arrived',
  arrivalsHint:
    'What the station sent in the name of its people, newest first. After a theft, look for what nobody did.',
  showArrivals: 'Show what arrived',
  moreArrivals: 'Show more',
  noArrivals: 'Nothing has arrived yet.',
  recorded: (at: string) => `recorded ${at}`,

  access: 'Sign-in at stations',
  accessHint: 'A badge or PIN works at these stations only, and never confirms approvals.',
  ownHint: 'Your PIN works at shared stations only. It never confirms approvals.',
  at: (names: string) => `At: ${names}`,
  atNone: 'Not at any station yet.',
  atNoneYet:
    'Not at any station yet. Once an administrator has put a station into your team, you set PINs and issue badges here.',
  pinSince: (date: string) => `PIN set on ${date}`,
  setPin: 'Set PIN',
  newPin: 'New PIN, 4 to 12 digits',
  pinRefusals: {
    digits: 'Use 4 to 12 digits',
    repeated: 'Use different digits',
    run: 'Do not use digits in a row, such as 1234',
  } satisfies Record<StationPinRefusal, string>,
  pinSaved: 'The PIN is set. Stations learn of it at their next contact.',
  removePin: 'Remove PIN',
  pinRemoved: 'The PIN is removed',
  badge: 'Badge',
  newBadge: 'Badge number: scan it here',
  needBadge: 'Scan the badge, or enter its number',
  label: 'What it looks like, such as “blue key fob”',
  issue: 'Issue badge',
  issued: 'The badge is issued. Stations learn of it at their next contact.',
  issuedOn: (date: string) => `Issued ${date}`,
  revokedOn: (date: string) => `Revoked ${date}`,
  revokeBadge: 'Revoke',
  revokeBadgeNamed: (label: string) => `Revoke ${label}`,
  badgeRevoked: 'The badge is revoked. Stations learn of it at their next contact.',
  unnamedBadge: 'Badge',
};
