import { runCli } from '#server/cli/program.ts';

/** The result of a command: its exit code, and its lines. */
export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** Runs a command `benchbook` in this process. `input` is what a person types. */
export async function runCommand(args: string[], input = ''): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(args, {
    env: {},
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    input: async () => input,
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}
