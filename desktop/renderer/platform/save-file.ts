import { findBridge } from './bridge.ts';

/** Gives a person a file: where they choose in the desktop app, among the downloads in a browser. */
export async function saveFile({ filename, json }: { filename: string; json: string }): Promise<void> {
  const bridge = findBridge();
  if (bridge !== undefined) {
    await bridge.saveFile({
      title: filename,
      suggestedName: filename,
      filters: [{ name: 'JSON', extensions: ['json'] }],
      bytes: new TextEncoder().encode(json),
    });
    return;
  }
  const url = URL.createObjectURL(new Blob([json], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
  URL.revokeObjectURL(url);
}
