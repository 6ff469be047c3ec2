import { Unzip, UnzipInflate } from 'fflate';

import type { Engine, Live } from '#desktop/engine/engine.ts';
import { pagePlatform } from '#desktop/engine/browser-platform.ts';
import { openEngine } from '#desktop/engine/open.ts';
import { must } from '#shared/must.ts';
import { blobSource } from '#shared/formats/omanual/source.ts';

/** Times in ms. */
export interface Kept {
  copy: number;
  index: number;
  /** Until every picture of a guide is drawn. */
  show: number;
  pictures: number;
  /** Until the guide with the word is found, after reading all guides. */
  search: number;
}

declare global {
  interface Window {
    /** Each takes the file of the page's input; `unzip` resolves with its time, ms. */
    archive: {
      /** Extracts every member in pieces, without storing anything. */
      unzip(): Promise<number>;
      /**
       * Stores the file on this device until all its guides are in the index, shows the last of them with its
       * pictures, and searches for the word if there is one. Fails unless there are `guides` of them.
       */
      keep(guides: number, word: string): Promise<Kept>;
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
  async keep(guides, word) {
    const file = chosen();
    const engine = await openEngine(pagePlatform({ defaultServer: location.origin }));
    const { views, actions } = engine;
    const start = performance.now();
    const archiveid = await actions.openArchive(blobSource(file), file.name);
    const copied = performance.now();
    const one = await when(views.archives(), (all) =>
      all.find((archive) => archive.archiveid === archiveid && archive.state !== 'reading'),
    );
    if (one.state !== 'ready') throw new Error(one.problem ?? one.state);
    if (one.guides !== guides) throw new Error(`Expected ${guides} guides and found ${one.guides}`);
    const indexed = performance.now();
    const page = await when(views.archive({ archiveid, category: null }), (now) =>
      now?.guides.find(({ imageGuid }) => imageGuid !== null),
    );
    const pictures = await shown(engine, page.guideid);
    const seen = performance.now();
    if (word !== '')
      await when(views.archive({ archiveid, category: null, search: word }), (now) =>
        now?.guides.find(({ snippet }) => snippet !== null),
      );
    const found = performance.now();
    await engine.close();
    return {
      copy: copied - start,
      index: indexed - copied,
      show: seen - indexed,
      pictures,
      search: found - seen,
    };
  },
};

/** The first matching value of a view. */
function when<T, U>(view: Live<T>, find: (value: T) => U | undefined): Promise<U> {
  return new Promise((resolve, reject) => {
    const stop = view.subscribe((value) => {
      const found = find(value);
      if (found === undefined) return;
      resolve(found);
      queueMicrotask(() => stop());
    }, reject);
  });
}

/** Draws the pictures of a guide, and returns their number. */
async function shown({ views }: Engine, guideid: string): Promise<number> {
  const guide = await when(views.guide(guideid), (now) => now ?? undefined);
  const names = guide.steps.flatMap(({ pictures }) => pictures.map(({ guid }) => guid));
  await Promise.all(
    names.map(async (guid) => {
      const image = document.body.appendChild(new Image());
      await new Promise<void>((resolve, reject) => {
        views.picture(guid, 'large').subscribe((url) => {
          if (url === null) return reject(new Error(`No picture ${guid}`));
          image.src = url;
          image.decode().then(resolve, reject);
        }, reject);
      });
    }),
  );
  if (names.length === 0) throw new Error('The guide has no picture');
  return names.length;
}
