/**
 * Runs parts of a write at the same time, so that their statements travel together, and throws the first error.
 *
 * - GROUP-COMMIT-6 If one part fails, the work fails when the other parts have ended too. What they would store later is
 *   undone with the work; otherwise it would be part of the work that follows.
 */
export async function together(...parts: readonly Promise<void>[]): Promise<void> {
  const failures: unknown[] = [];
  await Promise.all(parts.map((part) => part.catch((error: unknown) => void failures.push(error))));
  if (failures.length > 0) throw failures[0];
}
