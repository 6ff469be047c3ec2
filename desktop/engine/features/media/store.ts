import type { MediaStore } from '#desktop/engine/journal/platform.ts';

/** A store in memory. */
export function memoryMediaStore(): MediaStore {
  const files = new Map<string, Blob>();
  return {
    get: (key) => Promise.resolve(files.get(key)),
    put: (key, blob) => Promise.resolve(void files.set(key, blob)),
    remove: (key) => Promise.resolve(void files.delete(key)),
    list: () => Promise.resolve([...files].map(([key, blob]) => ({ key, bytes: blob.size }))),
  };
}

const bytesHeader = 'X-Bytes';

/**
 * A store in the browser's Cache API. The browser may empty it when the disk is full; all files can be fetched again.
 */
export function cacheMediaStore(caches: CacheStorage, name: string): MediaStore {
  const urlOf = (key: string): string => `https://media.invalid/${encodeURIComponent(key)}`;
  return {
    async get(key) {
      const cache = await caches.open(name);
      const found = await cache.match(urlOf(key));
      return found?.blob();
    },
    async put(key, blob) {
      const cache = await caches.open(name);
      const headers = { 'Content-Type': blob.type, [bytesHeader]: String(blob.size) };
      await cache.put(urlOf(key), new Response(blob, { headers }));
    },
    async remove(key) {
      const cache = await caches.open(name);
      await cache.delete(urlOf(key));
    },
    async list() {
      const cache = await caches.open(name);
      const requests = await cache.keys();
      return Promise.all(
        requests.map(async (request) => {
          const found = await cache.match(request);
          const key = decodeURIComponent(new URL(request.url).pathname.slice(1));
          return { key, bytes: Number(found?.headers.get(bytesHeader) ?? 0) };
        }),
      );
    },
  };
}
