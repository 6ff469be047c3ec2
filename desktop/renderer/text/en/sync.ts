export const syncText = {
  title: 'Sync',
  syncNow: 'Sync now',
  emptyTitle: 'Nothing waits',
  empty: 'What you do is listed here until it is on the server, with its state in words.',
  retry: 'Send again',
  decide: 'Decide',
  states: {
    queued: 'Queued',
    sending: 'Sending',
    'on-the-server': 'On the server',
    parked: 'Needs your attention',
    'needs-decision': 'Needs a decision',
    'waits-for-sign-in': 'Waits for sign-in',
  },
  conflictTitle: (title: string) => `Decide: ${title}`,
  noConflict: 'Nothing to decide',
  noConflictHint: 'Everything in this guide merged by itself.',
  yours: 'What you wrote',
  theirs: (name: string) => `What ${name} wrote`,
  takeMine: 'Use mine',
  takeTheirs: (name: string) => `Use ${name}’s`,
  deleted: 'Deleted',
};

export const editorText = {
  title: (name: string) => `Editing: ${name}`,
  openDraft: 'Open the draft',
  noDraft: 'No draft is open',
  noDraftHint: 'Opening a draft keeps your edits on this device until you save them.',
  read: 'Read the guide',
  save: 'Save',
  problems: 'Before it can be saved',
};
