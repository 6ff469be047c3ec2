const thisMachine = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/** Whether an address leads to its site from other devices too, and not only from the machine that the site runs on. */
export function isReachable(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && !thisMachine.test(url.hostname);
}
