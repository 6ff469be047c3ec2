import { loadAllTexts } from '#desktop/renderer/text/language.ts';

import { CodeMissing } from './code-missing.ts';

/**
 * Lets the browser fetch the code of the engine and of all screens, without running it: the page names its files in a
 * template (`desktop/build/build.ts`).
 */
export function fetchRest(): void {
  const files = document.querySelector<HTMLTemplateElement>('template#rest');
  if (files === null) return;
  document.head.append(files.content);
  files.remove();
}

/**
 * Loads the engine and all screens, with the texts of the person's language.
 *
 * - FIRST-5 Code that is loaded after the first screen breaks no rule of the content security policy.
 *
 * @throws CodeMissing when that cannot be loaded; it may be tried again
 */
export async function loadRest(): Promise<typeof import('./rest.tsx')> {
  fetchRest();
  try {
    await loadAllTexts();
    return await import('./rest.tsx');
  } catch (cause) {
    reportError(cause);
    throw new CodeMissing('The rest of the app could not be loaded', { cause });
  }
}

/**
 * Whether the server has another version of the app than this page, so that what is missing will never arrive. False
 * while the server cannot be reached.
 */
export async function isReplaced(): Promise<boolean> {
  try {
    const page = await fetch('/', { cache: 'no-store' });
    return page.ok && !(await page.text()).includes(new URL(import.meta.url).pathname);
  } catch {
    return false;
  }
}
