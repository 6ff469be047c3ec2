interface ContextBridge {
  exposeInMainWorld(name: string, api: object): void;
}

interface IpcRenderer {
  invoke(channel: string, ...args: unknown[]): Promise<unknown>;
}

/** What the preload script puts on `window.benchbook`. */
export interface PreloadBridge {
  call(name: string, args: unknown[]): Promise<unknown>;
}

/** Gives the page the one call that it may make; the page gets no Electron object to reach further. */
export function exposeBridge(contextBridge: ContextBridge, ipcRenderer: IpcRenderer): void {
  const bridge: PreloadBridge = { call: (name, args) => ipcRenderer.invoke(ipcChannel, name, args) };
  contextBridge.exposeInMainWorld('benchbook', bridge);
}

/** The one channel of all calls; kept apart from the IPC table so that the preload script carries no schemas. */
export const ipcChannel = 'benchbook';
