import type { StationOrder, StationView } from '#desktop/engine/api/station-records.ts';
import { must } from '#shared/must.ts';
import { demoStation, demoStationOrder } from '#test/support/fixture-station.ts';

import type { AppPage, Look, Workbench } from './app-page.ts';

/** Called on each screen of a walk. */
type Seen = (name: string, app: AppPage) => Promise<void>;

/** Types as fast as a reader of badges. */
export async function scan({ page }: AppPage, badge: string): Promise<void> {
  await page.evaluate((text) => {
    for (const key of [...Array.from(text), 'Enter'])
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
      );
  }, badge);
}

/** The order of Ana Ruiz, which runs at the station. */
export const ownOrder = (): StationOrder => {
  return { ...demoStationOrder(), userid: 9101, username: 'Ana Ruiz', workorderid: 'WO-1042' };
};

/** Ana Ruiz is signed in, and her own order runs at the station. */
export async function runOwn(app: AppPage): Promise<void> {
  await app.change({ station: { ...demoStation('Ana Ruiz'), running: [ownOrder(), demoStationOrder()] } });
}

export async function askSignOut({ page }: AppPage): Promise<void> {
  await page.getByRole('button', { name: /^Ana Ruiz: sign out/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('dialog').waitFor();
}

const names = ['Ada', 'Bo', 'Cem', 'Dora', 'Emil', 'Finn', 'Gil', 'Hana', 'Ivo', 'Jana', 'Kai', 'Li', 'Mo'];

/** A locked station with so many people that names are found by letters. */
export function manyPeople(): StationView {
  const station = demoStation(null);
  const more = names.map((name, at) => {
    return { ...must(station.people[0], 'person'), userid: 9200 + at, username: `${name} Okonkwo-Lindqvist` };
  });
  const lock = { why: 'idle', userid: 9101, username: 'Ana Ruiz', at: Date.now() } as const;
  return { ...station, lock, people: [...station.people, ...more] };
}

/** Goes to every screen of a locked station. */
export async function walkLocked(bench: Workbench, look: Look, seen: Seen): Promise<void> {
  await using app = await bench.open('/', { station: 'locked' }, look);
  const { page } = app;
  const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click();
  const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
  await heading('Scan your badge');
  await seen('lock', app);
  await scan(app, 'NOBODY');
  await page.getByText(/^Nobody at this station has this badge/).waitFor();
  await seen('wrong badge', app);
  await press('Ana Ruiz');
  await heading('Ana Ruiz');
  await seen('PIN', app);
  await press('Somebody else');
  await press('When something is wrong');
  await page.getByRole('img', { name: 'The same as a QR code' }).waitFor();
  await seen('health', app);
  await press('End station mode');
  await page.getByRole('dialog').waitFor();
  await seen('end of station mode', app);
  await press('Cancel');
  await press('Back');
  await app.change({ station: manyPeople() });
  await page.getByLabel('Find a name').waitFor();
  await seen('lock with many people', app);
  await app.change({ station: { ...demoStation(null), standing: 'shut-out' } });
  await heading('This station is shut out from the server');
  await seen('shut out', app);
}

/** Goes to every screen that only stations have while somebody is signed in, and to the player. */
export async function walkSignedIn(bench: Workbench, look: Look, seen: Seen): Promise<void> {
  const world = { station: 'signed-in', running: true, planned: true } as const;
  await using app = await bench.open('/station', world, look);
  const { page } = app;
  const dialog = page.getByRole('dialog');
  const leave = () => dialog.getByRole('button', { name: 'Cancel' }).last().click();
  await runOwn(app);
  await page.getByRole('link', { name: 'Continue at step 4' }).waitFor();
  await seen('home', app);
  await page.getByRole('button', { name: /^Ana Ruiz: sign out/ }).click();
  await seen('menu', app);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Switch person' }).click();
  await dialog.waitFor();
  await seen('switch', app);
  await dialog.getByRole('button', { name: 'Ben Okafor' }).click();
  await dialog.getByRole('group', { name: 'PIN' }).waitFor();
  await seen('switch, PIN', app);
  await leave();
  await askSignOut(app);
  await seen('sign-out', app);
  await dialog.getByText('Hand over').click();
  await dialog.getByLabel('Note for whoever takes over').click();
  await page.getByRole('group', { name: 'Keyboard on the screen' }).waitFor();
  await seen('hand-over with keyboard', app);
  await leave();
  await page.getByRole('link', { name: 'Continue at step 4' }).click();
  await page.getByRole('button', { name: 'Next step' }).waitFor();
  await seen('player', app);
  await page.getByRole('button', { name: /^Screw torque/ }).click();
  await dialog.waitFor();
  await seen('number pad', app);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Feedback', exact: true }).click();
  await seen('reasons of feedback', app);
  await page.getByRole('menuitem', { name: 'Unsafe' }).click();
  await page.getByText('Your feedback: Unsafe').waitFor();
  await seen('feedback given', app);
  await app.change({ station: { ...demoStation('Ana Ruiz'), idleSeconds: 12 } });
  await page.getByText(/^Locks in \d+ s$/).waitFor();
  await seen('idle notice', app);
}
