interface ContextBridge {
  exposeInMainWorld(name: string, api: object): void;
}

interface IpcRenderer {
  invoke(channel: string, ...args: unknown[]): Promise<unknown>;
}

/** The object that the preload script exposes as `window.benchbook`. */
export interface PreloadBridge {
  call(name: string, args: unknown[]): Promise<unknown>;
}

/** Exposes one function to the page, and no Electron object. */
export function exposeBridge(contextBridge: ContextBridge, ipcRenderer: IpcRenderer): void {
  const bridge: PreloadBridge = { call: (name, args) => ipcRenderer.invoke(ipcChannel, name, args) };
  contextBridge.exposeInMainWorld('benchbook', bridge);
}

/**
 * The IPC channel of all calls. It is defined here and not in the IPC table, so that the preload script does not
 * bundle the schemas.
 */
export const ipcChannel = 'benchbook';
