import { findBridge } from './bridge.ts';

/** A file to save: JSON, CSV or plain text. */
export type GivenText =
  | { filename: string; json: string }
  | { filename: string; csv: string }
  | { filename: string; text: string };

/** Saves a file: where the person chooses in the desktop app, or as a download in a browser. */
export async function saveFile(given: GivenText): Promise<void> {
  const { filename } = given;
  const { words, type, name, extension } = formOf(given);
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

function formOf(given: GivenText): { words: string; type: string; name: string; extension: string } {
  if ('json' in given)
    return { words: given.json, type: 'application/json', name: 'JSON', extension: 'json' };
  if ('csv' in given)
    // With a byte order mark, because spreadsheet programs otherwise read umlauts wrongly.
    return { words: `\uFEFF${given.csv}`, type: 'text/csv;charset=utf-8', name: 'CSV', extension: 'csv' };
  return { words: given.text, type: 'text/plain;charset=utf-8', name: 'Text', extension: 'txt' };
}
