/** A worker that does not end, takes all memory, fails, or says what it was told. */
import { serveWork } from '#server/platform/serve-work.ts';

serveWork(({ what, text }: { what: 'spin' | 'fill' | 'fail' | 'echo'; text?: string }) => {
  const kept: object[] = [];
  if (what === 'fail') throw new Error('cannot do this');
  while (what === 'spin' || what === 'fill') if (what === 'fill') kept.push({ kept: kept.slice(-100) });
  return text;
});
