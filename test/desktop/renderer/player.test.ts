import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const steps = [
  'Unplug and let it stop',
  'Remove the left guard',
  'Loosen the arbor nut',
  'Take off the belt cover',
];

function heading(app: AppPage, name: string) {
  return app.page.getByRole('heading', { level: 1, name, exact: true });
}

test('a guide opens with the information needed before starting', async () => {
  await using app = await bench.open('/guides/9001');
  const main = app.page.locator('main');
  await heading(app, 'Bench Grinder Drive Belt Replacement').waitFor();
  expect(
    await main
      .getByRole('link', { name: /Bench Grinder Lockout and Preparation 4 steps/ })
      .getAttribute('href'),
  ).toBe('/guides/9002');
  expect(await main.getByText('Torx screwdriver, T20').isVisible()).toBe(true);
  expect(await main.getByText('A worn belt makes the grinder').isVisible()).toBe(true);
  expect(await main.getByRole('link', { name: 'Edit guide' }).getAttribute('href')).toBe('/guides/9001/edit');
});

test('the next button goes through the steps to the conclusion, the previous one back', async () => {
  await using app = await bench.open('/guides/9001');
  await app.page.getByRole('button', { name: 'First step' }).click();
  for (const title of steps) {
    await heading(app, title).waitFor();
    await app.page.getByRole('button', { name: 'Next step' }).click();
  }
  await app.page.getByRole('button', { name: 'Previous' }).click();
  await heading(app, 'Take off the belt cover').waitFor();
  await app.page.getByRole('button', { name: 'Test run' }).click();
  await app.page.getByRole('button', { name: 'Conclusion' }).last().click();
  await app.page.getByText('The old belt goes into the rubber bin').waitFor();
});

test('the address names the step, and opens it again', async () => {
  await using app = await bench.open('/guides/9001#s90004');
  await heading(app, 'Take off the belt cover').waitFor();
  await app.page.getByRole('button', { name: 'Next step' }).click();
  await heading(app, 'Slacken the motor plate').waitFor();
  expect(new URL(app.page.url()).hash).toBe('#s90005');
  await app.page.reload();
  await heading(app, 'Slacken the motor plate').waitFor();
});

test('arrows, Home and End change the step; keys in a field belong to the field', async () => {
  await using app = await bench.open('/guides/9001#s90004', { running: true });
  await app.page.keyboard.press('ArrowRight');
  await heading(app, 'Slacken the motor plate').waitFor();
  await app.page.keyboard.press('ArrowLeft');
  await heading(app, 'Take off the belt cover').waitFor();
  await app.page.getByLabel('Screw torque after refitting').focus();
  await app.page.keyboard.press('ArrowRight');
  await app.page.keyboard.press('p');
  expect(await heading(app, 'Take off the belt cover').isVisible()).toBe(true);
  expect(await app.calls('moveWorkOrder')).toEqual([]);
  await app.page.getByLabel('Screw torque after refitting').blur();
  await app.page.keyboard.press('End');
  await heading(app, 'Conclusion').waitFor();
  await app.page.keyboard.press('Home');
  await heading(app, 'Bench Grinder Drive Belt Replacement').waitFor();
});

test('the keys are shown on demand', async () => {
  await using app = await bench.open('/guides/9001');
  await app.page.keyboard.press('?');
  const dialog = app.page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.getByText('Pause or resume the work order').waitFor();
  await dialog.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await app.page.getByRole('button', { name: 'Keyboard' }).click();
  await dialog.waitFor();
});

test('screen readers announce steps', async () => {
  await using app = await bench.open('/guides/9001#s90003');
  await app.page.keyboard.press('ArrowRight');
  await app.page.getByRole('status').filter({ hasText: 'Step 4 of 10: Take off the belt cover' }).waitFor();
});

test('bullets have a name and a shape; a caution is a block with its word', async () => {
  await using app = await bench.open('/guides/9001#s90004');
  const lines = app.page.locator('main li').filter({ has: app.page.getByRole('img') });
  await expect.poll(() => lines.getByRole('img', { name: 'Red' }).count()).toBe(1);
  expect(await lines.getByRole('img', { name: 'Caution' }).count()).toBe(1);
  const shapes = await app.page
    .locator('main li svg[role="img"] path')
    .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')));
  expect(new Set(shapes).size).toBe(shapes.length);
});

test('markers keep their place in the picture at every size', async () => {
  for (const width of [1440, 1200, 390]) {
    await using app = await bench.open('/guides/9001#s90004', {}, { width });
    const picture = app.page.getByRole('button', { name: /^Enlarge picture/ });
    const overlay = picture.locator('svg');
    await overlay.waitFor();
    const frame = await picture.boundingBox();
    const circle = await overlay.locator('path').nth(1).boundingBox();
    if (!frame || !circle) throw new Error('The picture is not shown');
    expect(Math.abs(frame.width / frame.height - 4 / 3)).toBeLessThan(0.01);
    expect(Math.abs(circle.x + circle.width / 2 - frame.x - (683 / 1600) * frame.width)).toBeLessThan(1);
    expect(Math.abs(circle.y + circle.height / 2 - frame.y - (211 / 1200) * frame.height)).toBeLessThan(1);
  }
});

test('a picture is enlarged by key, zoomed by keys, wheel and buttons up to eight times, and moved', async () => {
  await using app = await bench.open('/guides/9001#s90004');
  await heading(app, 'Take off the belt cover').waitFor();
  await app.page.keyboard.press('z');
  const area = app.page.getByRole('group', { name: /^Picture: plus and minus/ });
  const content = area.locator('[data-scale]');
  const scale = async () => Number(await content.getAttribute('data-scale'));
  await area.focus();
  for (let press = 0; press < 8; press += 1) await app.page.keyboard.press('+');
  expect(await scale()).toBe(8);
  const before = await content.getAttribute('style');
  await app.page.keyboard.press('ArrowRight');
  expect(await content.getAttribute('style')).not.toBe(before);
  await app.page.keyboard.press('0');
  expect(await scale()).toBe(1);
  await app.page.getByRole('button', { name: 'Zoom in' }).click();
  expect(await scale()).toBe(1.5);
  await area.hover();
  await app.page.mouse.wheel(0, -400);
  await expect.poll(scale).toBeGreaterThan(3);
  await app.page.keyboard.press('Escape');
  await area.waitFor({ state: 'detached' });
  expect(await heading(app, 'Take off the belt cover').isVisible()).toBe(true);
});

test('markers keep their place in a picture that is enlarged eight times', async () => {
  await using app = await bench.open('/guides/9001#s90004');
  await heading(app, 'Take off the belt cover').waitFor();
  await app.page.keyboard.press('z');
  const area = app.page.getByRole('group', { name: /^Picture: plus and minus/ });
  const content = area.locator('[data-scale]');
  await area.focus();
  for (const scale of [1, 8]) {
    for (let press = 0; Number(await content.getAttribute('data-scale')) !== scale; press += 1) {
      expect(press).toBeLessThan(10);
      await app.page.keyboard.press('+');
    }
    // The picture and the circle, where they are drawn now.
    const places = () =>
      content.evaluate((element) => {
        const picture = element.querySelector('img')?.getBoundingClientRect();
        const circle = element.querySelectorAll('svg path')[1]?.getBoundingClientRect();
        if (picture === undefined || circle === undefined) throw new Error('The picture is not shown');
        return {
          width: picture.width,
          across: circle.x + circle.width / 2 - picture.x - (683 / 1600) * picture.width,
          down: circle.y + circle.height / 2 - picture.y - (211 / 1200) * picture.height,
        };
      });
    await expect
      .poll(async () =>
        Math.max(
          ...Object.values(await places())
            .slice(1)
            .map(Math.abs),
        ),
      )
      .toBeLessThan(1);
    if (scale === 8) expect((await places()).width).toBeGreaterThan(4000);
  }
});

test('thumbnails choose the picture', async () => {
  await using app = await bench.open('/guides/9001#s90004');
  const second = app.page.getByRole('button', { name: 'Picture 2 of 2', exact: true });
  await second.click();
  expect(await second.getAttribute('aria-pressed')).toBe('true');
  await app.page
    .getByRole('button', { name: 'Enlarge picture: Take off the belt cover: picture 2 of 2' })
    .waitFor();
});

test('favourite, completed and download act on this guide', async () => {
  await using app = await bench.open('/guides/9001');
  await app.page.getByRole('button', { name: 'Favourite' }).click();
  // Nobody has completed a guide before its first step.
  expect(await app.page.getByRole('button', { name: 'Mark completed' }).count()).toBe(0);
  await app.page.goto(new URL('/guides/9001#end', app.page.url()).href);
  await app.page.getByRole('button', { name: 'Mark completed' }).click();
  await app.page.getByRole('button', { name: 'Completed' }).waitFor();
  expect(await app.calls('favorite')).toEqual([['9001', true]]);
  expect(await app.calls('complete')).toEqual([['9001', true]]);
});

test('a comment is written and answered, and stays on its step', async () => {
  await using app = await bench.open('/guides/9001#s90004');
  await heading(app, 'Take off the belt cover').waitFor();
  await app.page.keyboard.press('c');
  await app.page.getByLabel('Comments on this step').fill('Mind the spring.');
  await app.page.getByRole('button', { name: 'Post comment' }).click();
  await app.page.getByText('3 comments').waitFor();
  await app.page.getByRole('button', { name: 'Reply' }).first().click();
  await app.page.getByLabel('Reply to Ben Okafor').fill('Thank you.');
  await app.page.getByRole('button', { name: 'Post reply' }).click();
  await app.page.getByRole('article').getByText('Thank you.').waitFor();
  expect(await app.calls('comment')).toEqual([
    ['step', '90004', 'Mind the spring.'],
    ['step', '90004', 'Thank you.', '7001'],
  ]);
});

test('an own comment is edited and, after a confirmation, deleted', async () => {
  await using app = await bench.open('/guides/9001#s90004');
  await app.page.getByRole('button', { name: 'Edit', exact: true }).click();
  await app.page.getByLabel('Your comment').fill('Seen twice.');
  await app.page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => app.calls('editComment')).toEqual([['7002', 'Seen twice.']]);
  await app.page.getByRole('button', { name: 'Delete' }).click();
  expect(await app.calls('removeComment')).toEqual([]);
  await app.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => app.calls('removeComment')).toEqual([['7002']]);
});

test('deleting a comment with replies warns that they are deleted too', async () => {
  await using app = await bench.open('/guides/9001#s90004');
  const guides = await app.page.evaluate(() => window.fixture.world().guides);
  await app.change({
    guides: guides.map((guide) => ({
      ...guide,
      steps: guide.steps.map((step) => ({
        ...step,
        comments: step.comments.map((comment) => ({ ...comment, mine: true })),
      })),
    })),
  });
  await app.page.getByRole('button', { name: 'Delete' }).first().click();
  const dialog = app.page.getByRole('dialog');
  await dialog.getByText('This deletes it and its replies for everyone.').waitFor();
  await dialog.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await app.page.getByRole('button', { name: 'Delete' }).last().click();
  await dialog.getByText('This deletes it for everyone.', { exact: true }).waitFor();
});

test('links in texts to guides of the same site stay in the app; markup in texts is never executed', async () => {
  await using app = await bench.open('/guides/9001');
  const link = app.page
    .locator('main')
    .getByRole('link', { name: 'Bench Grinder Lockout and Preparation', exact: true });
  expect(await link.getAttribute('href')).toBe('/guides/9002');
  await link.click();
  await heading(app, 'Bench Grinder Lockout and Preparation').waitFor();
  const guides = await app.page.evaluate(() => window.fixture.world().guides);
  await app.change({
    guides: guides.map((guide) => ({
      ...guide,
      introductionHtml:
        '<p>Safe<img src="x" onerror="document.title=\'run\'"><script>document.title="run"</script></p>',
    })),
  });
  await app.page.getByText('Safe', { exact: true }).waitFor();
  expect(await app.page.locator('main script').count()).toBe(0);
  expect(await app.page.title()).toBe('Bench Grinder Lockout and Preparation · Benchbook');
});

test('in kiosk density the step list is behind "Step 4 of 10"', async () => {
  await using app = await bench.open(
    '/guides/9001#s90004',
    {},
    { density: 'kiosk', width: 1280, height: 800 },
  );
  expect(await app.page.getByRole('navigation', { name: 'Steps' }).count()).toBe(0);
  await app.page.getByRole('button', { name: 'Step 4 of 10, show all steps' }).click();
  await app.page.getByRole('dialog').getByRole('button', { name: 'Seat the new belt' }).click();
  await heading(app, 'Seat the new belt').waitFor();
  await app.page.getByRole('button', { name: 'Step 8 of 10, show all steps' }).waitFor();
});

test('a guide that becomes unavailable while it is read says so and leads to the library', async () => {
  await using app = await bench.open('/guides/9001');
  await app.change({ guides: [], drafts: [] });
  await app.page.getByRole('heading', { name: 'You can no longer see this guide' }).waitFor();
  await app.page.getByRole('link', { name: 'Go to the library', exact: true }).click();
  await app.page.waitForURL(/\/$/);
});

test('a guide that is not on this device says so', async () => {
  await using app = await bench.open('/guides/31337');
  await app.page.getByRole('heading', { name: 'This guide is not on this device' }).waitFor();
});

test('viewing steps without a work order completes none of them', async () => {
  await using app = await bench.open('/guides/9001#s90004');
  await heading(app, 'Take off the belt cover').waitFor();
  const steps = app.page.getByRole('navigation', { name: 'Steps' });
  expect(await steps.getByLabel('done').count()).toBe(0);
});

test('the overview and the header of a kiosk use the available width', async () => {
  await using app = await bench.open('/guides/9001', {}, { density: 'kiosk', width: 1440, height: 900 });
  const facts = await app.page.getByText('Difficulty', { exact: true }).boundingBox();
  const side = await app.page.locator('main dl').boundingBox();
  expect(facts).not.toBeNull();
  expect(1440 - ((side?.x ?? 0) + (side?.width ?? 0))).toBeLessThan(40);
  const mark = await app.page.locator('header svg').first().boundingBox();
  const back = await app.page.locator('header svg').nth(1).boundingBox();
  // Both are in targets of 64 px, which are 8 px apart.
  expect((back?.x ?? 0) - ((mark?.x ?? 0) + (mark?.width ?? 0))).toBeLessThan(48);
});
