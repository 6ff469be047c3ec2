/** Words of dialogs that the system shows, because the page cannot show them. */
export const text = {
  stopped: 'Benchbook’s window stopped',
  stoppedHint: 'Your work is kept.',
  hangs: 'Benchbook isn’t responding',
  hangsHint: 'Wait, or reload the window. Everything shown as saved is kept.',
  reload: 'Reload',
  close: 'Close',
  wait: 'Wait',
};
