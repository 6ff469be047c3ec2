import type { Guide } from '#shared/model/guide-record.ts';

import type { TestPerson, TestServer } from './server.ts';

/** A site with two guides: a public one whose prerequisite is private. */
export interface BenchGrinderWorld {
  /** Author of both guides. */
  ana: TestPerson;
  /** An author like Ana, who cannot see her private guide. */
  ben: TestPerson;
  /** Reads, completes and favourites; cannot edit guides of others. */
  maria: TestPerson;
  /** Moderator. */
  otto: TestPerson;
  /** Administrator. */
  mira: TestPerson;
  /** Public; two steps; the private guide is its prerequisite, and its introduction links to it. */
  belt: Guide;
  /** Private; one step. */
  lockout: Guide;
}

/** Fills an empty server: categories Workshop > Bench Grinder, five people, two guides. */
export async function benchGrinderWorld(server: TestServer): Promise<BenchGrinderWorld> {
  const ana = await server.person('Ana');
  const ben = await server.person('Ben');
  const maria = await server.person('Maria', ['User']);
  const otto = await server.person('Otto', ['User', 'Author', 'Moderator']);
  const mira = await server.person('Mira', ['User', 'Author', 'Moderator', 'Admin']);
  await server.category('Workshop', undefined, 'The machines that every other job depends on.');
  await server.category('Bench Grinder', 'Workshop', 'Double grinder with one belt.');
  const lockout = await ana.client.guides.create({
    body: {
      category: 'Bench Grinder',
      type: 'technique',
      title: 'Secret lockout',
      steps: [{ title: 'Pull the plug', lines: [{ text: "Pull the '''plug'''." }] }],
    },
  });
  const belt = await ana.client.guides.create({
    body: {
      category: 'Bench Grinder',
      type: 'replacement',
      subject: 'Drive Belt',
      public: true,
      introduction: `First [guide|${lockout.guideid}].`,
      prerequisites: [lockout.guideid],
      steps: [
        {
          title: 'Open the cover',
          lines: [
            { text: 'Three screws.', bullet: 'red' },
            { text: 'They differ in length.', level: 1 },
          ],
        },
        { title: 'Take the belt off', lines: [{ text: 'Turn the wheel by hand.' }] },
      ],
    },
  });
  return { ana, ben, maria, otto, mira, belt, lockout };
}
