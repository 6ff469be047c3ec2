import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';

import { IpcError } from '#desktop/ipc.ts';

import type { Dialog } from './electron.ts';
import { saveWhole } from './file-bytes.ts';
import type { IpcHandlers } from './ipc.ts';

// The largest size that the page can receive in one message.
const LARGEST_FILE = 512 * 1024 * 1024;

/** Dialogs that count as cancelled as soon as the app closes, so that it does not wait for a person who has left. */
export class ClosableDialogs implements Dialog {
  readonly #dialog: Dialog;
  readonly #closed = Promise.withResolvers<void>();

  constructor(dialog: Dialog) {
    this.#dialog = dialog;
  }

  showOpenDialog(...args: Parameters<Dialog['showOpenDialog']>): ReturnType<Dialog['showOpenDialog']> {
    return this.#orClosed(this.#dialog.showOpenDialog(...args), { canceled: true, filePaths: [] });
  }

  showSaveDialog(...args: Parameters<Dialog['showSaveDialog']>): ReturnType<Dialog['showSaveDialog']> {
    return this.#orClosed(this.#dialog.showSaveDialog(...args), { canceled: true, filePath: '' });
  }

  showMessageBox(...args: Parameters<Dialog['showMessageBox']>): ReturnType<Dialog['showMessageBox']> {
    return this.#orClosed(this.#dialog.showMessageBox(...args), { response: args[0].cancelId });
  }

  /** Cancels the dialogs that are open. */
  close(): void {
    this.#closed.resolve();
  }

  #orClosed<T>(answer: Promise<T>, cancelled: T): Promise<T> {
    return Promise.race([answer, this.#closed.promise.then(() => cancelled)]);
  }
}

/** Handlers for opening and saving files. The person chooses the path; the page never sees it. */
export function dialogHandlers(dialog: Dialog): Pick<IpcHandlers, 'openFiles' | 'saveFile'> {
  return {
    openFiles: async ({ title, filters, several }) => {
      const properties: ('openFile' | 'multiSelections')[] = several
        ? ['openFile', 'multiSelections']
        : ['openFile'];
      const { canceled, filePaths } = await dialog.showOpenDialog({ title, filters, properties });
      if (canceled) return [];
      const sizes = await Promise.all(filePaths.map(async (path) => (await stat(path)).size));
      if (sizes.reduce((sum, size) => sum + size, 0) > LARGEST_FILE) {
        throw new IpcError('invalid', 'The files are larger than 512 MB');
      }
      return Promise.all(
        filePaths.map(async (path) => ({
          name: basename(path),
          bytes: new Uint8Array(await readFile(path)),
        })),
      );
    },
    saveFile: async ({ title, suggestedName, filters, bytes }) => {
      const path = await chooseTarget(dialog, { title, suggestedName, filters });
      if (path !== null) await saveWhole(path, bytes);
      return path !== null;
    },
  };
}

/** The handler that saves the shown page as a PDF. `print`: makes the PDF of the window's page. */
export function pdfHandlers(dialog: Dialog, print: () => Promise<Uint8Array>): Pick<IpcHandlers, 'savePdf'> {
  return {
    savePdf: async ({ title, suggestedName }) => {
      const filters = [{ name: 'PDF', extensions: ['pdf'] }];
      const path = await chooseTarget(dialog, { title, suggestedName, filters });
      if (path !== null) await saveWhole(path, await print());
      return path !== null;
    },
  };
}

/** Asks the person for a path; null if they cancel. */
export async function chooseTarget(
  dialog: Dialog,
  {
    title,
    suggestedName,
    filters,
  }: { title: string; suggestedName: string; filters: { name: string; extensions: string[] }[] },
): Promise<string | null> {
  const { canceled, filePath } = await dialog.showSaveDialog({ title, defaultPath: suggestedName, filters });
  return canceled || filePath === '' ? null : filePath;
}
