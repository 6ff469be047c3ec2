import { message } from '#shared/text/message.ts';

/** What the main process says: what the page cannot show, or not yet. Titles and buttons of file dialogs come from the page. */
export const mainTexts = {
  /** Why the program does not start. */
  refusals: {
    sandbox: {
      title: 'Benchbook does not start without its sandbox',
      hint: 'The sandbox keeps what the app shows away from this computer. Start Benchbook without this switch or variable. An AppImage adds it by itself where programs may not make user namespaces: there, install the Debian package.',
    },
    tooManyFiles: {
      title: 'Benchbook cannot open so many files at once',
      hint: 'Nothing was opened. Open fewer files at a time, about a hundred.',
    },
    dataFolder: {
      title: 'Benchbook cannot write to the folder of its data',
      hint: 'Nothing was changed. Give your account the right to write to this folder, and start Benchbook again.',
    },
    running: {
      title: 'Benchbook is running already',
      hint: 'Use its window, or close it and start Benchbook again.',
    },
  },
  arguments: message<[number: number]>('{number, plural, one {# argument} other {# arguments}}', 'number'),

  crash: {
    stopped: 'Benchbook’s window stopped',
    stoppedHint: 'Your work is kept.',
    hangs: 'Benchbook isn’t responding',
    hangsHint: 'Wait, or reload the window. Everything shown as saved is kept.',
    reload: 'Reload',
    close: 'Close',
    wait: 'Wait',
  },

  /** The program ends. */
  error: {
    title: 'Benchbook stopped because of an unexpected error',
    hint: 'Everything shown as saved is kept. Start Benchbook again. If it stops again, send this to your administrator:',
  },

  /** The page cannot save. */
  closing: {
    unsaved: 'Not everything could be saved',
    unsavedHint:
      'The disk is full or cannot be written. Keep Benchbook open, free some space, and close it again. If you close it now, what it shows as not saved is lost.',
    keepOpen: 'Keep open',
    closeAnyway: 'Close anyway',
  },

  download: {
    title: message<[host: string]>('Download from {host}?', 'host'),
    hint: message<[addresses: string]>(
      'This address is in a private network: {addresses}. Continue only if you know this server.',
      'addresses',
    ),
    cancel: 'Cancel',
    download: 'Download',
  },

  /** The page in the system’s browser after a sign-in. */
  signedIn: {
    title: 'Go back to Benchbook',
    text: 'It signs you in. You can close this page.',
  },

  /** The menu of the window, by Electron's roles. */
  menu: {
    file: 'File',
    edit: 'Edit',
    view: 'View',
    window: 'Window',
    about: 'About Benchbook',
    services: 'Services',
    hide: 'Hide Benchbook',
    hideOthers: 'Hide Others',
    unhide: 'Show All',
    quit: 'Quit',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    pasteAndMatchStyle: 'Paste and Match Style',
    delete: 'Delete',
    selectAll: 'Select All',
    reload: 'Reload',
    forceReload: 'Force Reload',
    toggleDevTools: 'Toggle Developer Tools',
    resetZoom: 'Actual Size',
    zoomIn: 'Zoom In',
    zoomOut: 'Zoom Out',
    togglefullscreen: 'Toggle Full Screen',
    minimize: 'Minimize',
    zoom: 'Zoom',
    front: 'Bring All to Front',
    close: 'Close Window',
  },
};
