import { findBridge } from './bridge.ts';

/** A file to save: JSON or plain text. */
export type GivenText = { filename: string; json: string } | { filename: string; text: string };

/** Saves a file: where the person chooses in the desktop app, or as a download in a browser. */
export async function saveFile(given: GivenText): Promise<void> {
  const { filename } = given;
  const { words, type, name, extension } =
    'json' in given
      ? { words: given.json, type: 'application/json', name: 'JSON', extension: 'json' }
      : { words: given.text, type: 'text/plain;charset=utf-8', name: 'Text', extension: 'txt' };
  const bridge = findBridge();
  if (bridge !== undefined) {
    await bridge.saveFile({
      title: filename,
      suggestedName: filename,
      filters: [{ name, extensions: [extension] }],
      bytes: new TextEncoder().encode(words),
    });
    return;
  }
  const url = URL.createObjectURL(new Blob([words], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
  URL.revokeObjectURL(url);
}
