/**
 * Lets the browser open the app itself without a network, and this page the parts of it that it has not shown yet. The
 * window of the desktop app has its files anyway.
 */
export async function keepAppOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  await serviceWorker.register(new URL('/service-worker.js', location.href));
  const { active } = await serviceWorker.ready;
  // The worker claims the pages that are open when it begins: one that was loading at that moment has none.
  if (serviceWorker.controller === null) active?.postMessage('claim');
}
