import { expect, test } from 'vitest';

import { memoryMediaStore } from '#desktop/engine/features/media/store.ts';
import { Bench } from '#test/desktop/engine/bench/bench.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';

test('a video is played from the copy on this device once there is one', async () => {
  const media = memoryMediaStore();
  await media.put('video:/igo/five', new Blob(['moving'], { type: 'video/mp4' }));
  const bench = await Bench.open(StandInServer.still(), { media });
  const seen: (string | null)[] = [];
  const stops = ['five', 'six'].map((guid) =>
    bench.views.video(`video:/igo/${guid}`).subscribe(
      (url) => seen.push(url),
      (error) => expect.fail(error.message),
    ),
  );
  await expect.poll(() => seen.filter((url) => url !== null)).toHaveLength(1);
  const [url] = seen.filter((one) => one !== null);
  expect(await (await fetch(url ?? '')).text()).toBe('moving');
  expect(seen).toContain(null);
  for (const stop of stops) stop();
  await bench.close();
});
