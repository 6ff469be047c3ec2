/**
 * The database cannot be reached, or ended the work for a reason that passes. If that happened during a commit, the work
 * may be stored. `cause`: the error of the driver.
 */
export class DatabaseUnreachable extends Error {
  constructor(cause: Error) {
    super(`The database cannot be reached: ${cause.message}`, { cause });
  }
}
