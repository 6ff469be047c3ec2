/** Lets the browser open the app itself without a network. The window of the desktop app has its files anyway. */
export async function keepAppOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register(new URL('/service-worker.js', location.href));
}
