import { Problem } from '#shared/api/problem.ts';

import { findBridge } from './bridge.ts';

/** A file to save: JSON, CSV or plain text. */
export type GivenText =
  | { filename: string; json: string }
  | { filename: string; csv: string }
  | { filename: string; text: string };

let refusal: string | null = null;

/** From now on, who saves a file is told these words instead; null: files are saved again. */
export function refuseSaving(words: string | null): void {
  refusal = words;
}

function mustBeAllowed(): void {
  if (refusal !== null) throw new Problem('forbidden', refusal);
}

/**
 * Saves the shown page as a PDF, where the person chooses. Only in the desktop app.
 * @throws Problem where files are not saved
 */
export async function savePdf(title: string, name: string): Promise<void> {
  mustBeAllowed();
  await findBridge()?.savePdf({ title, suggestedName: `${name}.pdf` });
}

/**
 * Saves a file: where the person chooses in the desktop app, or as a download in a browser.
 * @throws Problem where files are not saved
 */
export async function saveFile(given: GivenText): Promise<void> {
  mustBeAllowed();
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

/**
 * Saves a document where the person chooses. Only in the desktop app, whose pages cannot download (ELECTRON-54).
 * @throws Problem where files are not saved
 */
export async function saveDocument(filename: string, extension: string, blob: Blob): Promise<void> {
  mustBeAllowed();
  const name = extension.toLowerCase();
  await findBridge()?.saveFile({
    title: filename.slice(0, 200),
    // The characters that no file name has.
    suggestedName: filename.replaceAll(/[/\\:*?"<>|\p{Cc}]+/gu, '-').slice(-200),
    filters: /^[a-z0-9]{1,10}$/.test(name) ? [{ name: name.toUpperCase(), extensions: [name] }] : [],
    bytes: new Uint8Array(await blob.arrayBuffer()),
  });
}

function formOf(given: GivenText): { words: string; type: string; name: string; extension: string } {
  if ('json' in given)
    return { words: given.json, type: 'application/json', name: 'JSON', extension: 'json' };
  if ('csv' in given)
    // With a byte order mark, because spreadsheet programs otherwise read umlauts wrongly.
    return { words: `\uFEFF${given.csv}`, type: 'text/csv;charset=utf-8', name: 'CSV', extension: 'csv' };
  return { words: given.text, type: 'text/plain;charset=utf-8', name: 'Text', extension: 'txt' };
}
