import { createRoot } from 'react-dom/client';

import { must } from '#shared/must.ts';

import { ComingEngine } from './first/coming-engine.ts';
import { FirstApp } from './first/first-app.tsx';
import { findStart, firstSession, rememberStart } from './first/first-session.ts';
import { loadRest } from './first/load-rest.ts';
import { handOverWhenHidden } from './hand-over.ts';
import { showLoadFailure } from './load-failed.ts';
import { installTrustedTypes } from './platform/trusted-types.ts';
import { applyPreferences } from './preferences.ts';

installTrustedTypes();
applyPreferences();
handOverWhenHidden();
const place = must(document.getElementById('root'), 'the root element');
// Not awaited here: modules that are imported on demand import this one, and would wait for it.
void (window.benchbook === undefined ? startBrowser() : startDesktop().catch(showLoadFailure));

async function startBrowser(): Promise<void> {
  const start = await findStart();
  const coming = new ComingEngine(async () => (await loadRest()).openInBrowser(), firstSession(start));
  coming.subscribe(() => rememberStart(coming.read()));
  createRoot(place).render(<FirstApp coming={coming} wasSignedIn={start === 'signed-in'} />);
  // A new visitor gets the sign-in first, and the rest while they type.
  if (start === 'new') await painted();
  // The frame says why.
  await coming.open().catch(() => undefined);
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
