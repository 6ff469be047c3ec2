import type { UpdateHold, UpdateStatus } from '#shared/model/update-state.ts';
import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

type Failure = Extract<UpdateStatus, { phase: 'failed' }>['reason'];

const publisherOnly = 'Nothing was installed. Tell your administrator.';

const failures: Record<Failure, { title: string; hint: string }> = {
  malformed: { title: 'The update can’t be read', hint: publisherOnly },
  signature: { title: 'The update isn’t from the publisher of this app', hint: publisherOnly },
  'other-app': { title: 'The update is for another app', hint: publisherOnly },
  expired: {
    title: 'The update information is out of date',
    hint: 'There may be a newer version. If the clock of this computer is right, ask your administrator for an update.',
  },
  withdrawn: {
    title: 'The update is older than one that was offered before',
    hint: publisherOnly,
  },
  broken: {
    title: 'The update didn’t start on this computer',
    hint: 'The app went back to the version before. If the start was interrupted, check for updates to install it again. Otherwise tell your administrator.',
  },
  'too-far': {
    title: 'This version is too old for the update',
    hint: 'Ask your administrator for the version between the two.',
  },
  unreachable: {
    title: 'Couldn’t get the update from the server',
    hint: 'Check the connection and try again. The download continues where it stopped.',
  },
  package: {
    title: 'The downloaded file isn’t the one the publisher signed',
    hint: 'Nothing was installed. Try again. If it happens again, tell your administrator.',
  },
  'no-package': {
    title: 'The update isn’t available for this computer',
    hint: 'Ask your administrator for a package that fits.',
  },
  'no-folder': {
    title: 'There is no update in this folder',
    hint: 'Choose the folder that contains the file update.json.',
  },
  'no-space': {
    title: 'The disk is full',
    hint: 'Make room for about 1 GB and try again.',
  },
  disk: {
    title: 'Couldn’t store or install the update',
    hint: 'Nothing was changed. Try again. If it happens again, tell your administrator.',
  },
};

const holds: Record<UpdateHold, string> = {
  order: 'A work order is running. The update waits until it’s finished or paused.',
  unsaved: 'Not everything could be saved on this device. Free up disk space, then update.',
  away: 'You left this screen, so the app didn’t restart. Try again when you’re ready.',
  silence: 'The app was busy and didn’t restart. Try again.',
};

export const updatesText = inLanguage('updates', {
  section: 'App updates',
  installed: message<[version: string]>('Version {version}', 'version'),
  off: 'This package doesn’t install updates. Ask your administrator for new versions.',
  notChecked: 'Not checked for updates yet.',
  current: message<[time: string]>('No newer version found. Last checked: {time}', 'time'),
  check: 'Check for updates',
  fromFolder: 'Update from a folder…',
  chooseFolder: 'Choose the folder with the update',
  looking: 'Checking for updates …',
  downloading: message<[version: string]>('Downloading version {version}', 'version'),
  ready: message<[version: string]>('Version {version} is ready', 'version'),
  readyHint: 'The app closes and starts again. Your work stays on this device.',
  restart: 'Restart and update',
  holds,
  installing: message<[version: string]>('Installing version {version} …', 'version'),
  installingHint: 'The app starts again in a moment.',
  administrator: 'Ask your administrator to install this file:',
  checksum: message<[sha256: string]>('SHA-256: {sha256}', 'sha256'),
  available: message<[version: string]>('Version {version} is available', 'version'),
  download: 'This copy of the app can’t install it by itself. Download it from:',
  askForIt: 'This copy of the app can’t install it by itself. Ask your administrator for it.',
  failures,
  lookFailed: message<[title: string]>('The last check failed: {title}.', 'title'),
  left: message<[version: string]>('This was version {version}.', 'version'),
});
