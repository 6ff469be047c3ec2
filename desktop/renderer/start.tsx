import { createRoot } from 'react-dom/client';

import { must } from '#shared/must.ts';

import { ComingEngine } from './first/coming-engine.ts';
import { FirstApp } from './first/first-app.tsx';
import { findStart, firstSession, rememberStart } from './first/first-session.ts';
import { loadRest } from './first/load-rest.ts';
import { handOverWhenHidden } from './hand-over.ts';
import { showLoadFailure } from './load-failed.ts';
import { applyPreferences } from './preferences.ts';

applyPreferences();
handOverWhenHidden();
const place = must(document.getElementById('root'), 'the root element');
// Not awaited here: modules that are imported on demand import this one, and would wait for it.
void (window.benchbook === undefined ? startBrowser() : startDesktop().catch(showLoadFailure));

async function startBrowser(): Promise<void> {
  const start = await findStart();
  const coming = new ComingEngine(async () => (await loadRest()).openInBrowser(), firstSession(start));
  coming.subscribe(() => rememberStart(coming.read()));
  const open = (): Promise<unknown> => coming.open().catch(() => undefined);
  // The frame says why it fails.
  if (start !== 'new') void open();
  createRoot(place).render(<FirstApp coming={coming} wasSignedIn={start === 'signed-in'} />);
  if (start !== 'new') return;
  // A new visitor gets the sign-in first, and the rest while they type.
  await painted();
  await open();
}

async function startDesktop(): Promise<void> {
  const rest = await loadRest();
  await rest.startDesktop(place);
}

/** A hidden page is not painted, ms. */
const longestPaint = 1000;

/** Resolves when the first screen is painted. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, longestPaint);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}
