/** Whether the screen at this path begins the header with the title of its guide, as player and editor do. */
export function isInGuide(path: string): boolean {
  return /^\/guides\/[^/]+(\/edit)?$|^\/archives\/[^/]+\/guides\//.test(path);
}
