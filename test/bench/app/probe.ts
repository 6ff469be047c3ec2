/** What to do, and the text that the screen shows then. */
type Doing = { text: string } & ({ address: string } | { key: string });

/**
 * In the page: goes to an address or presses a key. Resolves with the ms until the text was painted. Self-contained,
 * because the page gets its source.
 */
export function paintedAfter(doing: Doing): Promise<number> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const isShown = (): boolean => document.querySelector('main')?.textContent.includes(doing.text) === true;
    const settle = (): void => {
      observer.disconnect();
      // The frame that contains it is painted when the next task runs.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - startedAt);
        port2.postMessage(null);
      });
    };
    const observer = new MutationObserver(() => isShown() && settle());
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    if ('address' in doing) history.pushState(null, '', doing.address);
    else
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent('keydown', { key: doing.key, bubbles: true, cancelable: true }),
      );
  });
}

/** In the page: resolves with the ms from the next event of this kind until the text was painted in such an element. */
export function whenText({
  event,
  text,
  within,
}: {
  event: string;
  text: string;
  within: string;
}): Promise<number> {
  return new Promise((resolve) => {
    addEventListener(
      event,
      ({ timeStamp }) => {
        const look = (): void => {
          const isShown = [...document.querySelectorAll(within)].some(({ textContent }) =>
            textContent.includes(text),
          );
          if (isShown) resolve(performance.now() - timeStamp);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      },
      { once: true, capture: true },
    );
  });
}

/** In the page: removes the content of the screen, adds copies of its elements again, and resolves with the ms that painting took. */
export async function repaint(): Promise<number> {
  const main = document.querySelector('main');
  if (main === null) throw new Error('There is no screen');
  const painted = (): Promise<void> =>
    new Promise((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        port2.postMessage(null);
      });
    });
  const cover = main.cloneNode(false) as HTMLElement;
  main.after(cover);
  main.hidden = true;
  await painted();
  const startedAt = performance.now();
  cover.innerHTML = main.innerHTML;
  await painted();
  const took = performance.now() - startedAt;
  cover.remove();
  main.hidden = false;
  await painted();
  return took;
}
