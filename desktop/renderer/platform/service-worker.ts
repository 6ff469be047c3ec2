/**
 * The service worker stores the files of the app on the device, so that a browser opens it without a network. It
 * handles only files of the build, never API responses.
 */
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface WorkerScope {
  location: Location;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  addEventListener(
    type: 'install' | 'activate' | 'message',
    listener: (event: ExtendableEvent) => void,
  ): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
}

declare const self: WorkerScope;

/** Replaced by the build: the files of the app, and a version that changes with them. */
const shell = JSON.parse('__SHELL__') as { version: string; files: string[] };
const cacheName = `shell-${shell.version}`;
/** Paths that belong to the server. `/sync` is a screen; sync endpoints have a version below it. */
const serverPaths = /^\/(api|sync\/\d+|igi|igo|omanual|Document|modules|static|healthz|readyz)(\/|$)/;

/** How long to wait for the server before the stored page is shown, ms. */
const patienceMs = 3000;

async function install(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(['/', ...shell.files]);
  await self.skipWaiting();
}

/** The other stored versions of the app, oldest first. */
async function versions(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith('shell-') && name !== cacheName);
}

/** Open pages continue with the previous version, so its files stay stored until the next update. */
async function activate(): Promise<void> {
  const old = (await versions()).slice(0, -1);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** The page from the server; the stored copy without a network or when the server does not respond in time. */
async function page(request: Request): Promise<Response> {
  const kept = await caches.match('/', { cacheName });
  const fresh = fetch(request).then(
    (answer) => (answer.ok ? answer : undefined),
    () => undefined,
  );
  const first = kept === undefined ? fresh : Promise.race([fresh, patience()]);
  return (await first) ?? kept ?? Response.error();
}

function patience(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), patienceMs));
}

async function file(request: Request): Promise<Response> {
  for (const name of [cacheName, ...(await versions())]) {
    // Server responses vary by the origin of the page; these files are the same for all.
    const kept = await caches.match(request, { cacheName: name, ignoreVary: true });
    if (kept !== undefined) return kept;
  }
  return fetch(request);
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
// A page without a controller asks to be claimed.
self.addEventListener('message', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== self.location.origin || serverPaths.test(url.pathname))
    return;
  event.respondWith(event.request.mode === 'navigate' ? page(event.request) : file(event.request));
});
