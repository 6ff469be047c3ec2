import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

export const syncText = inLanguage('sync', {
  title: 'Sync',
  syncNow: 'Sync now',
  tryNow: 'Try now',
  signIn: 'Sign in',

  safety: {
    insecure: 'This page cannot keep your work',
    insecureHint:
      'It was opened over an insecure connection (http). Open it over https, on the server itself, or in the desktop app.',
    nothingKept: 'Your work can’t be saved on this device right now',
    nothingKeptHint:
      'The app cannot write to this device’s storage. Free up disk space, then open the app again.',
    diskFull: 'Not saved: the disk is full',
    diskFullHint:
      'Your latest changes are only on the screen. Free up disk space: they are saved as soon as there is room.',
    readsWait: 'The disk is full',
    readsWaitHint:
      'Some records can’t be shown until there is room. Free up disk space, and they appear on their own.',
    decisions: message<[number: number]>(
      '{number, plural, one {# decision is} other {# decisions are}} waiting for you',
      'number',
    ),
    decisionsHint: 'Nothing is lost: every version is kept until you choose.',
    parked: message<[number: number]>(
      '{number, plural, one {# change needs} other {# changes need}} your attention',
      'number',
    ),
    parkedHint: 'Nothing is lost: everything is kept on this device until you decide.',
    onDevice: 'Your work is safe on this device',
    waitsForNetwork: message<[pending: number]>(
      '{pending, plural, one {# change is} other {# changes are}} waiting for the network.',
      'pending',
    ),
    waitsForSignIn: message<[pending: number]>(
      'Sign in to send {pending, plural, one {# change} other {# changes}}.',
      'pending',
    ),
    onTheWay: message<[pending: number]>(
      '{pending, plural, one {# change is} other {# changes are}} on the way to the server.',
      'pending',
    ),
    onServer: 'All your work is on the server',
    onServerHint: 'Nothing is waiting on this device.',
    offlineHint: 'You are offline. What you do next is kept on this device.',
    firstSync: 'The first sync is in progress',
    firstSyncHint: 'Guides appear as they arrive.',
    never: 'This device has not synced yet',
    neverHint: 'Until then, your work is kept on this device.',
    trouble: 'There is a problem',
    blocked: 'Something is blocking the connection to the server',
    blockedHint:
      'Something on the network, such as a Wi-Fi sign-in page, is answering instead of the server. Your work is kept and will be sent once the server can be reached again.',
    askedToWait: message<[time: string]>(
      'The server asked this device to wait until {time}. Press “Try now” to try sooner.',
      'time',
    ),
    support: 'For support',
    elsewhere: message<[number: number]>(
      '{number, plural, one {# change is} other {# changes are}} waiting for another server or account',
      'number',
    ),
    elsewhereHint: 'What you did here is on the server. The rest is safe on this device.',
    tooOld: {
      app: 'Update the app to continue syncing',
      server: 'The server is older than this app',
    },
    tooOldHint: {
      app: 'Your work is kept. It is sent once the app is up to date.',
      server:
        'Ask your administrator to update it. Your work is kept, and sent once the server is up to date.',
    },
  },
  facts: {
    last: 'Last synced',
    never: 'never',
    waiting: 'Waiting to be sent',
    nothing: 'nothing',
    changes: message<[number: number]>('{number, plural, one {# change} other {# changes}}', 'number'),
    kept: 'Where your work is kept',
    journal: {
      file: 'In a file on this computer',
      'private-file-system': 'In this browser’s private storage',
      full: 'Nowhere: the disk is full',
      none: 'Nowhere',
    },
    promise: {
      file: 'Written to the disk before it counts as saved.',
      'private-file-system':
        'Written before it counts as saved. It can still be lost if the disk is full or this site’s data is cleared: the desktop app is safer.',
      full: 'What was saved before is kept. Your latest changes are only on the screen.',
      none: 'Nothing can be stored here.',
    },
  },

  elsewhere: {
    waits: (number: number, server: string | null, name: string) =>
      `${new Intl.NumberFormat('en').format(number)} ${number === 1 ? 'change is' : 'changes are'} waiting for ${server ?? 'a server that this device no longer knows'}${name === '' ? '' : ` (${name})`}`,
    hint: (name: string) =>
      `Kept on this device, and sent when ${name === '' ? 'the person who was signed in' : name} signs in there.`,
    signIn: 'Sign in there',
  },
  kept: {
    title: 'Your text in guides and pages that you can no longer see',
    guide: message<[id: string]>('guide {id}', 'id'),
    page: message<[id: string]>('page {id}', 'id'),
    gone: message<[name: string]>('You can no longer see {name}', 'name'),
    goneHint: 'What you wrote is kept here',
    here: message<[name: string]>('You can see {name} again', 'name'),
    hereHint: 'What you wrote meanwhile is kept here',
    unreadable: 'Text that this version of the app cannot read',
    unreadableHint: 'It is kept unchanged. Update the app to read it, or export it.',
    texts: message<[number: number]>(
      'Show {number, plural, one {# text} other {# texts}} you wrote',
      'number',
    ),
    parts: { field: 'Field', step: 'Step', line: 'Line', comment: 'Comment' },
    discardTitle: message<[name: string]>('Discard what you wrote in {name}?', 'name'),
  },
  device: {
    title: 'Export, check and support',
    export: 'Export all unsent work',
    exportHint:
      'Saves all your work that is not yet on the server in one file, with its photos and files. You can import the file in the app on another device, or at another address.',
    exported: message<[number: number]>(
      '{number, plural, one {# change} other {# changes}} exported',
      'number',
    ),
    left: message<[number: number]>(
      '{number, plural, one {# item was not exported and stays} other {# items were not exported and stay}} on this device only: archives waiting to be imported, unsigned decisions, forms that were not saved, and data that cannot be read.',
      'number',
    ),
    import: 'Import unsent work',
    importHint: 'Imports a file of your own work from another device. Nothing is sent twice.',
    importFailed: 'Couldn’t import the file',
    imported: message<[number: number]>(
      '{number, plural, =0 {Nothing new in this file} one {# change imported} other {# changes imported}}',
      'number',
    ),
    known: message<[number: number]>(
      '{number, plural, one {# change was} other {# changes were}} already on this device or on the server.',
      'number',
    ),
    unreadable: message<[number: number]>(
      '{number, plural, one {# entry} other {# entries}} in the file could not be read or imported. Export the file again if you can.',
      'number',
    ),
    cut: 'The file is incomplete, so more may be missing. Export it again if you can.',
    log: 'Save the log',
    logHint:
      'What happened on this device in the last 30 days, for your support team. The log contains IDs and codes, but nothing you wrote.',
    check: 'Check this device',
    checkHint: 'Compares everything on this device with the server and reloads what differs.',
    equal: message<[records: number]>(
      '{records, plural, one {# record} other {# records}} compared: everything matches the server',
      'records',
    ),
    mended: message<[number: number, records: number]>(
      '{number} of {records, plural, one {# record} other {# records}} differed from the server and {number, plural, one {was} other {were}} reloaded',
      'number',
      'records',
    ),
    record: 'Untitled record',
    differences: {
      missing: message<[title: string]>('{title}: was missing here', 'title'),
      extra: message<[title: string]>('{title}: is no longer on the server, and was removed here', 'title'),
      different: message<[title: string]>('{title}: differed from the server', 'title'),
    },
    more: message<[number: number]>('and {number} more', 'number'),
  },

  list: 'What you did',
  listEnds: 'Changes on the server stay listed for 30 days, up to the latest 300.',
  emptyTitle: 'Nothing yet',
  empty: 'What you do is listed here with its state: on this device, on its way, or on the server.',
  back: 'All entries',
  states: {
    queued: 'Queued',
    sending: 'Sending',
    'on-the-server': 'On the server',
    parked: 'Refused by the server',
    'needs-decision': 'Needs a decision',
    'waits-for-sign-in': 'Waiting for sign-in',
  },
  needsLead: 'Waiting for a lead',
  heldUp: 'Needs your attention',
  guideFields: {
    title: 'title',
    summary: 'summary',
    subject: 'part or topic',
    category: 'category',
    type: 'type',
    difficulty: 'difficulty',
    time_required_min: 'time',
    time_required_max: 'time',
    introduction: 'introduction',
    introduction_raw: 'introduction',
    conclusion: 'conclusion',
    conclusion_raw: 'conclusion',
    flags: 'flags',
    image: 'picture',
    parts: 'parts',
    tools: 'tools',
    documents: 'documents',
    prerequisites: 'prerequisites',
    lines: 'lines',
    text_raw: 'text',
    bullet: 'bullet',
    level: 'indentation',
    media: 'pictures',
    time_estimate: 'time',
    form: 'form of a step',
    display_title: 'display title',
    description: 'description',
    contents: 'text',
    contents_raw: 'text',
    page_title: 'browser page title',
    parent: 'parent category',
    table_of_contents: 'table of contents',
    repairability_score: 'repairability',
    info: 'facts',
    suppliers: 'suppliers',
    namespace: 'kind',
    username: 'name',
    unique_username: 'short name',
    about: 'about you',
    location: 'location',
    moved: 'steps reordered',
    merged: 'merged with someone else’s changes',
  } as Record<string, string>,
  otherField: 'other details',
  tagged: {
    on: message<[tag: string]>('“{tag}” added', 'tag'),
    off: message<[tag: string]>('“{tag}” removed', 'tag'),
  },
  steps: message<[number: number]>('{number, plural, one {# step} other {# steps}}', 'number'),
  removedSteps: message<[number: number]>('{number, plural, one {# step} other {# steps}} removed', 'number'),
  moves: {
    start: 'started',
    pause: 'paused',
    resume: 'resumed',
    suspend: 'suspended',
    assume: 'taken over',
    finish: 'finished',
    cancel: 'cancelled',
    step: 'next step',
    switch: 'changed to the newer revision',
    keep: 'kept the revision',
  } as Record<string, string>,
  marks: {
    guide: { on: 'published', off: 'made private', removed: 'deleted' },
    favorite: { on: 'marked as favourite', off: 'no longer a favourite' },
    completion: { on: 'marked completed', off: 'no longer completed' },
    page: { removed: 'deleted' },
    team: { on: 'joined', off: 'left' },
    comment: { removed: 'deleted' },
    quiz: { begin: 'started', save: 'answers', submit: 'submitted', cancel: 'ended' },
  } as Record<string, Record<string, string>>,

  refusalStatus: message<[status: number]>('HTTP status {status}', 'status'),
  commentWords: 'Your comment',
  quoted: message<[words: string]>('“{words}”', 'words'),
  valueOf: message<[label: string]>('Value: {label}', 'label'),
  recordedValue: 'Recorded value',
  retry: 'Send again',
  sendAll: message<[number: number]>('Send all {number} again', 'number'),
  allSentAgain: message<[number: number]>(
    '{number, plural, one {# change is} other {# changes are}} queued again',
    'number',
  ),
  edit: 'Edit',
  sendEdited: 'Send the changed text',
  sendEditedValue: 'Send the changed value',
  sentAgain: 'Queued again',
  postAsReply: 'Post as a reply',
  handInAnew: 'Submit as a new attempt',
  handedInAnew: 'Queued as a new attempt',
  tooLateHint: 'Comments can only be edited for five minutes. You can post the new text as a reply instead.',
  postedAsReply: 'Queued as a reply',
  export: 'Export as a file',
  discard: 'Discard',
  discardTitle: message<[subject: string]>('Discard this change to “{subject}”?', 'subject'),
  discardBody: 'It exists on this device only and cannot be recovered. Export it first if you are not sure.',
  keep: 'Keep it',
  discarded: 'Discarded',
  entriesOf: message<[subject: string]>('Your changes to {subject}', 'subject'),
  shownOf: message<[shown: string, all: string]>('{shown} of {all}', 'shown', 'all'),
  showMore: 'Show more',
  openGuide: 'Open the guide',
  open: {
    page: 'Open the page',
    profile: 'Open the profile',
    team: 'Open the team',
    'work-order': 'Open the work order',
  } as Partial<Record<string, string>>,
  decide: 'Decide',
  decisions: message<[number: number]>('{number, plural, one {# decision} other {# decisions}}', 'number'),
  needsDecisions: message<[number: number]>('Needs {number} decisions', 'number'),
  decideHint: 'You and someone else changed the same part. Both versions are kept until you choose.',
  waitHint: 'It is sent as soon as the change that it waits for is on the server.',
  waitedFor: 'Show what it is waiting for',
  queuedHint: 'Saved on this device. It is sent automatically as soon as the server can be reached.',
  sendingHint: 'Saved on this device and on its way.',
  doneHint: 'It is on the server.',
  doneSince: message<[when: string]>('On the server since {when}.', 'when'),
  signInHint: 'Saved on this device. It is sent after you sign in again.',
  call: 'Request to the server',
});

/** Name of the other person where the guide does not say who it is. */
const other = 'someone else';

export const conflictText = inLanguage('conflict', {
  title: message<[title: string]>('Decide: {title}', 'title'),
  heading: message<[number: number]>(
    '{number, plural, one {# decision} other {# decisions}} for you',
    'number',
  ),
  lead: (name: string) => `You and ${name || other} changed the same places. Choose a version for each.`,
  allMine: 'Use all mine',
  allTheirs: (name: string) => (name === '' ? 'Use all theirs' : `Use all of ${name}’s`),
  groupMine: 'Use mine here',
  groupTheirs: (name: string) => (name === '' ? 'Use theirs here' : `Use ${name}’s here`),
  guideItself: 'About this guide',
  pageItself: 'This page',
  stepName: (step: number, title: string) => (title === '' ? `Step ${step}` : `Step ${step} · ${title}`),
  pictureOf: message<[step: string]>('Picture of {step}', 'step'),
  progress: (decided: number, total: number) =>
    decided === total ? 'Decided' : `${decided} of ${total} decided`,
  left: (left: number, total: number) =>
    left === total
      ? `Choose a version for ${total === 1 ? 'it' : `each of the ${total}`}, then save.`
      : `${left} of ${total} left: choose a version for ${left === 1 ? 'it' : 'each'}, then save.`,
  complete: message<[total: number]>(
    '{total, plural, one {It is decided. You can save now.} other {All {total} are decided. You can save now.}}',
    'total',
  ),
  undo: 'Undo',
  save: message<[total: number]>(
    '{total, plural, one {Save decision} other {Save {total} decisions}}',
    'total',
  ),
  reopen: 'Change the decisions',
  none: 'Nothing to decide',
  noneHint: 'Everything was merged automatically.',
  decided: 'All decisions made',
  decidedHint: 'What you chose is saved.',
  decidedWaits: 'What you chose is saved on this device and is sent automatically.',
  decidedOpen:
    'What you chose is saved on this device and is sent automatically. Until then you can change it.',
  decidedSent: 'What you chose is on the server.',
  toGuide: 'Read the guide',
  toPage: 'Read the page',
  toSync: 'Open Sync',
  list: 'To decide',
  otherGuides: 'In other guides and pages',
  allSync: 'Show everything in Sync',
  places: {
    step: message<[step: number]>('Step {step}', 'step'),
    line: message<[step: number, line: number]>('Step {step}, line {line}', 'step', 'line'),
    field: message<[step: number, field: string]>('Step {step}, {field}', 'step', 'field'),
    somewhere: 'The whole text',
  },
  kinds: {
    words: 'Both of you changed the same words.',
    value: 'Both of you changed this.',
    'deleted-by-them': (name: string) => `You changed it, and ${name || other} deleted it.`,
    'deleted-by-me': (name: string) => `You deleted it, and ${name || other} changed it.`,
  },
  restMerged: 'Everything else was merged automatically.',
  merged: message<[number: number]>(
    '{number, plural, one {# change} other {# changes}} merged automatically',
    'number',
  ),
  mergeKinds: {
    changed: 'changed',
    text: 'text merged',
    added: 'added',
    removed: 'removed',
    moved: 'moved',
    indented: 'indented',
  } as Record<string, string>,
  mine: message<[when: string]>('What you wrote · {when}', 'when'),
  theirs: (name: string, when: string) => `What ${name || other} wrote · ${when}`,
  deleted: 'Deleted',
  empty: 'Empty',
  result: 'What will be saved',
  resultFree: 'What will be saved · edit freely',
  takeBoth: 'Keep both',
  write: 'Write it anew',
  before: message<[words: string]>('Before both edits: “{words}”', 'words'),
  beforeNothing: 'Before both edits there was nothing here.',
  later: 'Decide later',
});

/**
 * The words of a kind of change: its name, the words for another change that waits for it, and those for the codes of its
 * details (`CallKindSpec.detail`).
 */
export interface ChangeText {
  name: string;
  awaited: string;
  details?: Readonly<Record<string, string>>;
}

/** The words of the kinds of changes, by kind (`CallKindSpec.activity`). */
export const activityText: Readonly<Record<string, ChangeText>> = inLanguage('activity', {
  guide: { name: 'Guide', awaited: 'Waiting for the guide' },
  page: { name: 'Page', awaited: 'Waiting for the page' },
  tag: { name: 'Tag', awaited: 'Waiting for another change' },
  'work-order': { name: 'Work order', awaited: 'Waiting for the work order' },
  comment: { name: 'Comment', awaited: 'Waiting for the comment' },
  favorite: { name: 'Favourite', awaited: 'Waiting for another change' },
  completion: { name: 'Completion', awaited: 'Waiting for another change' },
  profile: { name: 'Profile', awaited: 'Waiting for another change' },
  team: { name: 'Team', awaited: 'Waiting for another change' },
  quiz: { name: 'Quiz', awaited: 'Waiting for the quiz' },
  picture: { name: 'Picture', awaited: 'Waiting for the picture' },
  file: { name: 'File', awaited: 'Waiting for the file' },
});
