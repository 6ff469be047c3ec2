import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const administrator = { administrator: true };

test('ADMIN-21 teams are listed with their lead and members, and one is created', async () => {
  await using app = await bench.open('/administration/teams', administrator);
  const { page } = app;
  const row = page.getByRole('row', { name: /Line B/ });
  expect(await row.innerText()).toMatch(/Ana Ruiz[\s\S]*2/);
  await page.getByLabel('Find a team or lead').fill('okafor');
  await expect.poll(() => page.getByRole('table').getByRole('link').allInnerTexts()).toEqual(['Night shift']);
  await page.getByRole('button', { name: 'New team' }).click();
  const dialog = page.getByRole('dialog', { name: 'New team' });
  await dialog.getByRole('button', { name: 'Create team' }).click();
  await dialog.getByText('Enter a name').waitFor();
  await dialog.getByLabel('Name').fill(' Paint shop ');
  await dialog.getByRole('combobox', { name: 'Lead' }).fill('ben');
  await page.getByRole('option', { name: 'Ben Okafor' }).click();
  await dialog.getByRole('button', { name: 'Create team' }).click();
  await page.getByRole('heading', { level: 1, name: 'Paint shop' }).waitFor();
  await page.getByText('1 member · Ben Okafor').waitFor();
  expect(await app.calls('createTeam')).toEqual([['Paint shop', 9102]]);
  expect(app.errors).toEqual([]);
});

test('ADMIN-21 ADMIN-3 a team is renamed and gets another lead, together, and unsaved changes are not left unasked', async () => {
  await using app = await bench.open('/administration/teams/3', administrator);
  const { page } = app;
  await page.getByLabel('Name').fill('Line C');
  await page.getByText('1 change not saved').waitFor();
  await page.locator('main').getByRole('link', { name: 'Teams' }).first().click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByText('Stay here').click();
  await page.getByRole('button', { name: /Lead$/ }).click();
  await page.getByRole('option', { name: 'Ben Okafor' }).click();
  await page.getByText('2 changes not saved').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Line C' }).waitFor();
  await page.getByText('2 members · Ben Okafor').waitFor();
  expect(await app.calls('changeTeam')).toEqual([
    [3, { name: 'Line C', owner: 9102 }, { name: 'Line B', owner: expect.any(Number) }],
  ]);
  await expect.poll(() => page.getByText('not saved').count()).toBe(0);
});

test('TEAM-19 a team that somebody else renamed meanwhile is not saved before the person has seen it', async () => {
  await using app = await bench.open('/administration/teams/4', administrator);
  const { page } = app;
  await page.getByRole('textbox', { name: 'Name' }).fill('Late shift');
  await page.evaluate(() =>
    window.fixture.actions.changeTeam(4, { name: 'Owls' }, { name: 'Night shift', owner: 9102 }),
  );
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('It is now “Owls”, lead: Ben Okafor.').waitFor();
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Late shift');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Late shift' }).waitFor();
  expect(await page.getByText('It is now').count()).toBe(0);
});

test('ADMIN-21 members are added by name and removed after a question; the last one ends the team', async () => {
  await using app = await bench.open('/administration/teams/4', administrator);
  const { page } = app;
  const remove = async (name: string, said: string) => {
    await page.getByRole('button', { name: `Remove ${name} from the team` }).click();
    const question = page.getByRole('dialog', { name: `Remove ${name} from Night shift?` });
    await question.getByText(said).waitFor();
    await question.getByRole('button', { name: 'Remove', exact: true }).click();
  };
  await page.getByRole('combobox', { name: 'Add a person' }).fill('r');
  expect(await page.getByRole('option').allInnerTexts()).toEqual(['Ana Ruiz']);
  await page.getByRole('option', { name: 'Ana Ruiz' }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('2 members · Ben Okafor').waitFor();
  await remove('Ben Okafor', 'The person who has been a member longest becomes the lead.');
  await page.getByText('1 member · Ana Ruiz').waitFor();
  await remove('Ana Ruiz', 'This is the last member');
  await page.getByRole('heading', { name: 'This team does not exist' }).waitFor();
  expect(await app.calls('addTeamMember')).toEqual([[4, 9101]]);
  expect(await app.calls('removeTeamMember')).toEqual([
    [4, 9102],
    [4, 9101],
  ]);
});

test('ADMIN-21 TEAM-18 a team is deleted after a question, and stays with a way out while orders are planned for it', async () => {
  await using app = await bench.open('/administration/teams/3', administrator);
  const { page } = app;
  const remove = async (name: string) => {
    await page.getByRole('button', { name: 'Delete team' }).click();
    await page
      .getByRole('dialog', { name: `Delete ${name}?` })
      .getByRole('button', { name: 'Delete team' })
      .click();
  };
  await remove('Line B');
  await page.getByText('Open work orders are planned for this team').waitFor();
  await page.getByText('Withdraw them or plan them for somebody else').waitFor();
  expect(await page.getByRole('link', { name: 'Show planned orders' }).getAttribute('href')).toBe('/planned');
  await page.goto(`${bench.url}/administration/teams/4`);
  await remove('Night shift');
  await page.getByText('Night shift deleted').waitFor();
  await page.getByRole('row', { name: /Line B/ }).waitFor();
  expect(await page.getByRole('row', { name: /Night shift/ }).count()).toBe(0);
});

test('ADMIN-21 a site without teams says what they are for', async () => {
  await using app = await bench.open('/administration/teams', administrator);
  const { page } = app;
  await page.evaluate(() => {
    window.fixture.actions.listTeams = () => Promise.resolve([]);
    history.pushState(null, '', '/administration/mail');
  });
  await page.getByRole('heading', { level: 1, name: 'Mail' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'There are no teams yet' }).waitFor();
});
