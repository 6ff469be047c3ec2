/** Pictures that did not come within this time are not waited for, ms. */
const longestWait = 15_000;
const interval = 50;

/** Waits until each element with `data-awaits-picture` shows its picture or a placeholder, or `signal` aborts. */
export async function picturesArrived(within: Element, signal: AbortSignal): Promise<void> {
  const isThere = (element: Element): boolean => {
    const image = element.querySelector('img');
    return image === null ? element.querySelector('[role="img"]') !== null : image.complete;
  };
  const end = performance.now() + longestWait;
  for (const image of within.querySelectorAll('img')) image.loading = 'eager';
  while (!signal.aborted && performance.now() < end) {
    const awaited = [...within.querySelectorAll('[data-awaits-picture]')];
    if (awaited.every(isThere)) return;
    await new Promise((resolve) => {
      setTimeout(resolve, interval);
    });
    for (const image of within.querySelectorAll('img')) image.loading = 'eager';
  }
}
