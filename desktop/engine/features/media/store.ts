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
      if (found === undefined) return undefined;
      const blob = await found.blob();
      const stated = found.headers.get(bytesHeader);
      return stated === null || Number(stated) === blob.size ? blob : undefined;
    },
    async put(key, blob) {
      const cache = await caches.open(name);
      const bytes = { [bytesHeader]: String(blob.size) };
      const headers = { 'Content-Type': blob.type, ...bytes };
      // The request has the size too: a list of thousands of files then reads no responses.
      await cache.put(new Request(urlOf(key), { headers: bytes }), new Response(blob, { headers }));
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
          const key = decodeURIComponent(new URL(request.url).pathname.slice(1));
          const stated = request.headers.get(bytesHeader);
          const headers = stated === null ? (await cache.match(request))?.headers : undefined;
          return { key, bytes: Number(stated ?? headers?.get(bytesHeader) ?? 0) };
        }),
      );
    },
  };
}
