import { Unzip, UnzipInflate } from 'fflate';

import { pagePlatform } from '#desktop/engine/browser-platform.ts';
import { openEngine } from '#desktop/engine/open.ts';
import { must } from '#shared/must.ts';
import { blobSource } from '#shared/omanual/source.ts';

declare global {
  interface Window {
    /** Each takes the file of the page's input; `unzip` and `keep` resolve with what they took, ms. */
    archive: {
      /** Unpacks every member in pieces, and keeps nothing. */
      unzip(): Promise<number>;
      /** Keeps the file on this device, until all its guides are in the index; fails unless there are `guides` of them. */
      keep(guides: number): Promise<number>;
    };
  }
}

const pieceSize = 256 * 1024;

function chosen(): File {
  return must(document.querySelector('input')?.files?.[0], 'a file');
}

window.archive = {
  async unzip() {
    const file = chosen();
    const start = performance.now();
    let size = 0;
    const pieces = new Unzip((member) => {
      member.ondata = (error, bytes) => {
        if (error !== null) throw error;
        size += bytes.length;
      };
      member.start();
    });
    pieces.register(UnzipInflate);
    for (let at = 0; at < file.size; at += pieceSize) {
      const piece = new Uint8Array(await file.slice(at, at + pieceSize).arrayBuffer());
      pieces.push(piece, at + pieceSize >= file.size);
    }
    if (size === 0) throw new Error('Nothing was unpacked');
    return performance.now() - start;
  },
  async keep(guides) {
    const file = chosen();
    const engine = await openEngine(pagePlatform({ defaultServer: location.origin }));
    const start = performance.now();
    const archiveid = await engine.actions.openArchive(blobSource(file), file.name);
    const found = await new Promise<number>((resolve, reject) => {
      const stop = engine.views.archives().subscribe((all) => {
        const one = all.find((archive) => archive.archiveid === archiveid);
        if (one === undefined || one.state === 'reading') return;
        if (one.state === 'ready') resolve(one.guides);
        else reject(new Error(one.problem ?? one.state));
        queueMicrotask(() => stop());
      }, reject);
    });
    const ms = performance.now() - start;
    await engine.close();
    if (found !== guides) throw new Error(`Expected ${guides} guides and found ${found}`);
    return ms;
  },
};
