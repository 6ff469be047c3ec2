/** A server for many streams in a separate process; prints its address and content on its first line. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { must } from '#shared/must.ts';
import { contextForJob } from '#server/core/job.ts';
import { writeGuide } from '#server/features/guides/store.ts';
import { issueToken } from '#server/features/tokens/store.ts';
import { createAccount } from '#server/features/users/store.ts';
import { raiseNumber } from '#server/storage/feed.ts';
import { checkpointTextOf, newestCheckpoint } from '#server/sync/feed-reader.ts';
import { startServer } from '#test/support/server.ts';

import { benchGuide } from '../corpus.ts';
import { peopleOfTeam, type Ground } from './ground.ts';
import { answerUsage } from './usage.ts';

const publicGuides = 20;

async function main(people: number): Promise<void> {
  const limits = { streams: people + 10, connections: people + 100 };
  const server = await startServer({ checked: false, limits });
  const author = await server.person('Author', ['User', 'Author', 'Administrator']);
  await server.category('Bench');
  const teams = Math.max(1, Math.ceil(people / peopleOfTeam));
  const tokens: string[] = [];
  for (let team = 0; team < teams; team += 1)
    await contextForJob(server.services, null, async (ctx) => {
      const { teamid } = await ctx.db
        .insertInto('teams')
        .values({ name: `Team ${team}`, description: '', created_date: ctx.seconds })
        .returning('teamid')
        .executeTakeFirstOrThrow();
      for (let one = 0; one < Math.min(peopleOfTeam, people - team * peopleOfTeam); one += 1) {
        const name = `person-${team}-${one}`;
        const userid = await createAccount(ctx, {
          username: name,
          unique_username: name,
          email: `${name}@example.com`,
          passwordHash: 'none',
          passwordIsOwn: true,
          privileges: ['User'],
        });
        await ctx.db
          .insertInto('team_members')
          .values({ teamid, userid, joined_date: ctx.seconds })
          .execute();
        tokens.push(await issueToken(ctx, userid, 'bench'));
      }
    });
  await contextForJob(server.services, author.userid, async (ctx) => {
    for (let n = 1; n <= publicGuides + teams; n += 1) {
      const isPublic = n <= publicGuides;
      const facts = {
        ...benchGuide(n, author.userid),
        category: 'Bench',
        public: isPublic,
        ...(isPublic ? {} : { allowed_teams: [n - publicGuides] }),
      };
      const { guideid, revisionid, guide_revisionid, category, type, title, langid, userid } = facts;
      const { created_date, modified_date } = facts;
      const columns = { guideid, revisionid, guide_revisionid, category, type, title, langid, userid };
      await ctx.db
        .insertInto('guides')
        .values({
          ...columns,
          public: isPublic ? 1 : 0,
          deleted: 0,
          featured: 0,
          created_date,
          modified_date,
        })
        .execute();
      const steps = facts.steps.map(({ stepid }) => ({ stepid, guideid: n, deleted: 0 as const }));
      await ctx.db.insertInto('steps').values(steps).execute();
      await writeGuide(ctx, facts, author.userid);
    }
    await raiseNumber(ctx.db, 'revision', (publicGuides + teams) * 100);
    await raiseNumber(ctx.db, 'guide_revision', publicGuides + teams);
  });
  const guideids = Array.from({ length: publicGuides + teams }, (_, index) => index + 1);
  const ground: Ground = {
    url: server.url,
    author: author.token,
    tokens,
    publicGuides: guideids.slice(0, publicGuides),
    teamGuides: guideids.slice(publicGuides),
    checkpoint: await checkpointTextOf(
      server.services,
      await newestCheckpoint(server.services.storage.reader),
    ),
  };
  process.stdout.write(`${JSON.stringify(ground)}\n`);
}

answerUsage(monitorEventLoopDelay({ resolution: 1 }));
await main(Number(must(process.argv[2], 'a number of people')));
