/** The one channel of all calls; kept apart from the IPC table so that the preload script carries no schemas. */
export const ipcChannel = 'benchbook';
