import sharp from 'sharp';

import type { Actions, Live, Views } from '#desktop/engine/engine.ts';
import { openEngine } from '#desktop/engine/open.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { archiveBytes, contentOf, guidesToWrite, mediaBytes } from '#test/shared/formats/omanual/archives.ts';
import {
  plainCategory,
  plainGuide,
  plainLine,
  plainStep,
} from '#test/shared/formats/omanual/plain-guides.ts';

import { type Disk, platformOn } from '../support/device.ts';
import type { Environment } from '#desktop/engine/platform/ports.ts';
import { testEnvironment } from '../support/environment.ts';

type Seen<V extends keyof Views> = ReturnType<Views[V]> extends Live<infer T> ? T : never;

/** A device as screens use it. */
export interface ArchiveDevice extends AsyncDisposable {
  actions: Actions;
  views: Views;
  /** Resolves when a view satisfies a condition. */
  shows<V extends keyof Views>(
    isSo: (value: Seen<V>) => boolean,
    name: V,
    ...args: Parameters<Views[V]>
  ): Promise<Seen<V>>;
}

export const noNetwork: typeof fetch = () => Promise.reject(new TypeError('fetch failed'));

export async function startArchiveDevice(
  disk: Disk,
  fetch = noNetwork,
  elsewhere: Pick<Environment, 'fetchElsewhere' | 'allowElsewhere'> = {},
): Promise<ArchiveDevice> {
  const engine = await openEngine(platformOn(disk, { ...testEnvironment(fetch), ...elsewhere }));
  const { actions, views } = engine;
  return {
    actions,
    views,
    shows: (isSo, name, ...args) => {
      const view = views[name] as (...given: Parameters<Views[typeof name]>) => Live<Seen<typeof name>>;
      return new Promise((resolve, reject) => {
        let stop = (): void => undefined;
        stop = view(...args).subscribe((value) => {
          if (!isSo(value)) return;
          resolve(value);
          queueMicrotask(() => stop());
        }, reject);
      });
    },
    [Symbol.asyncDispose]: () => engine.close(),
  };
}

const picture = { id: 3, guid: 'Cover', width: 800, height: 600 };

/** Two guides in a tree of two categories; the second requires the first, and has a picture. */
export const workshop: GuideFacts[] = [
  plainGuide(7, { title: 'Lock out the machine', category: 'Workshop' }),
  plainGuide(8, {
    title: 'Change the drive belt',
    image: picture,
    prerequisites: [7],
    introduction_raw: 'First [guide|7]. [image|3]',
    steps: [
      plainStep({
        title: 'Open it',
        lines: [plainLine('Loosen the tensioner.')],
        media: { type: 'image', data: [picture] },
      }),
    ],
  }),
];

/** An archive of guides, as a server makes it. */
export async function archiveOf(
  guides: readonly GuideFacts[],
  base = 'http://bench.test',
): Promise<Uint8Array<ArrayBuffer>> {
  const categories = [plainCategory('Workshop', null), plainCategory('Bench Grinder', 'Workshop')];
  const { bytes } = await archiveBytes(contentOf(guidesToWrite(guides), { base, categories }));
  return bytes;
}

/** The workshop with a picture of this size. */
export async function bigArchive(size: number): Promise<Uint8Array<ArrayBuffer>> {
  const small = await sharp({ create: { width: 8, height: 6, channels: 3, background: '#2a6' } })
    .png()
    .toBuffer();
  const photo = new Uint8Array(size);
  photo.set(small);
  const media = async () => mediaBytes(photo, 'image/png');
  return (await archiveBytes(contentOf(guidesToWrite(workshop), { media }))).bytes;
}
