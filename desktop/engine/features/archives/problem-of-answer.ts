import { z } from 'zod';

import { Problem, type ProblemKind, problemStatus } from '#shared/api/problem.ts';

/** A refusal in the server's words. */
export function problemOfAnswer(status: number, body: unknown): Problem {
  const kind = Object.entries(problemStatus).find(([, one]) => one === status)?.[0];
  const { message } = z
    .object({ message: z.string() })
    .catch({ message: `The server answered ${status}` })
    .parse(body);
  return new Problem((kind as ProblemKind | undefined) ?? 'unavailable', message);
}
