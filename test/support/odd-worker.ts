/** A worker that never ends, takes all memory, fails, or returns its input. */
import { serveWork } from '#server/platform/serve-work.ts';

serveWork(({ what, text }: { what: 'spin' | 'fill' | 'fail' | 'echo'; text?: string }) => {
  const kept: object[] = [];
  if (what === 'fail') throw new Error('cannot do this');
  while (what === 'spin' || what === 'fill') if (what === 'fill') kept.push({ kept: kept.slice(-100) });
  return text;
});
