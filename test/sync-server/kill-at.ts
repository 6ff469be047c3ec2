import { appendFileSync, statSync } from 'node:fs';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { env, kill, pid } from 'node:process';

import Database from 'better-sqlite3';

/**
 * Loaded into a server and its threads before its own modules: counts the moments at which a power loss would leave
 * another state on the disk (before and after each commit, and after each file gets its name), one byte of the file
 * KILL_LOG for each, and kills the process at moment KILL_AT (0: never).
 */
const { KILL_LOG = '', KILL_AT = '0' } = env;

function moment(): void {
  appendFileSync(KILL_LOG, '.');
  if (statSync(KILL_LOG).size === Number(KILL_AT)) kill(pid, 'SIGKILL');
}

// oxlint-disable-next-line typescript/unbound-method -- called with its connection below
const { prepare } = Database.prototype;
Database.prototype.prepare = function (this: Database.Database, text: string) {
  const statement = prepare.call(this, text);
  if (text.toLowerCase() !== 'commit') return statement;
  const run: () => Database.RunResult = statement.run.bind(statement, []);
  // Nothing is bound in it.
  statement.run = () => {
    moment();
    const result = run();
    moment();
    return result;
  };
  return statement;
} as typeof prepare;

const { renameSync } = fs;
const { rename } = fs.promises;
fs.renameSync = (from, to) => {
  renameSync(from, to);
  moment();
};
fs.promises.rename = async (from, to) => {
  await rename(from, to);
  moment();
};
syncBuiltinESMExports();
