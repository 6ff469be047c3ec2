/** The attacked server, in a separate process; prints its address on its first line. */
import { watchMemory } from '#server/bootstrap/memory.ts';
import { contextForJob } from '#server/core/job.ts';
import { newestCheckpoint, checkpointTextOf } from '#server/sync/feed-reader.ts';
import { Passwords } from '#server/features/tokens/passwords.ts';
import { collectGarbage } from '#test/support/collect-garbage.ts';
import { doublingSurvey } from '#test/support/hostile-quiz.ts';
import { startServer } from '#test/support/server.ts';
import { scorm12 } from '#test/support/training-packages.ts';
import { played } from '#test/support/training-world.ts';

import type { Target } from './attack.ts';

/** Additional data for the honest client. */
export interface Ground extends Target {
  honest: string;
  email: string;
  password: string;
  guideid: number;
}

async function main(): Promise<void> {
  const server = await startServer({ checked: false, passwords: new Passwords() });
  const author = await server.person('Author');
  const reader = await server.person('Reader', ['User']);
  const readers: string[] = [];
  for (let n = 0; n < 6; n += 1) readers.push((await server.person(`Reader${n}`, ['User'])).token);
  const learner = await server.person('Learner', ['User']);
  const { address } = await played({ server, author, learner }, scorm12());
  const honest = await server.person('Honest');
  // Another person signs in, because the first of fifty sessions of a person ends.
  await server.person('Signer');
  await server.category('Bench');
  const made = await honest.call('POST', '/guides', {
    category: 'Bench',
    type: 'technique',
    title: 'Change the belt',
    public: true,
    steps: Array.from({ length: 20 }, () => ({ title: 'Step', lines: [{ text: 'Turn the wheel.' }] })),
  });
  const elements = [{ type: 'text', name: 'q', correctAnswer: 'x' }];
  const quiz = await author.call('POST', '/quizzes/import', { title: 'Costly', surveyjs: { elements } });
  const { quizid, quiz_revisionid } = quiz.body as { quizid: number; quiz_revisionid: number };
  await contextForJob(server.services, null, async (ctx) => {
    await ctx.db
      .updateTable('quiz_revisions')
      .set({ survey: JSON.stringify(doublingSurvey(24)) })
      .where('quiz_revisionid', '=', quiz_revisionid)
      .execute();
  });
  const ground: Ground = {
    url: server.url,
    author: author.token,
    reader: reader.token,
    readers,
    module: address,
    costlyQuizid: quizid,
    checkpoint: await checkpointTextOf(
      server.services,
      await newestCheckpoint(server.services.storage.reader),
    ),
    honest: honest.token,
    email: 'signer@example.com',
    password: 'a long password',
    guideid: (made.body as { guideid: number }).guideid,
  };
  process.stdout.write(`${JSON.stringify(ground)}\n`);
}

// Reports its memory in bytes: current use, or need without garbage.
process.on('message', (asked) => {
  if (asked === 'needed') collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  process.send?.(process.memoryUsage.rss());
});
process.on('disconnect', () => process.exit());
// Like `npm start`.
watchMemory();
await main();
