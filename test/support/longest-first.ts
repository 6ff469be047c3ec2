import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take an hour in the long run. */
const hours = ['test/simulation/fleet.test.ts', 'test/e2e/monkey.test.ts'];

/** Slow files of small size. If they started last, one would run alone at the end. */
const longest = [
  'test/e2e/demo.test.ts',
  'test/desktop/renderer/accessibility.test.ts',
  'test/desktop/renderer/editor.test.ts',
  'test/desktop/renderer/sync.test.ts',
  'test/desktop/renderer/sync-entries.test.ts',
  'test/desktop/renderer/archives.test.ts',
  'test/bootstrap/start.test.ts',
  'test/bootstrap/first-start.test.ts',
  'test/simulation/restored-backups.test.ts',
  'test/simulation/history.test.ts',
  'test/simulation/concurrent-edits.test.ts',
  'test/simulation/planted-faults.test.ts',
  'test/sync-server/client/package.test.ts',
  'test/sync-server/omanual-demo.test.ts',
  'test/shared/formats/wikitext/safety.test.ts',
  'test/desktop/engine/account/homes.test.ts',
  'test/desktop/engine/account/other-server.test.ts',
  'test/e2e/killed-browser.test.ts',
  'test/e2e/leaving.test.ts',
];

/** The default order of files, with the slowest of each project first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const isOneOf = (paths: readonly string[], { moduleId }: TestSpecification): boolean =>
      paths.some((path) => moduleId.endsWith(path));
    const last = (paths: readonly string[], file: TestSpecification): number =>
      isOneOf(paths, file) ? 0 : 1;
    const projects = usual.map((file) => file.project.name);
    const project = (file: TestSpecification): number => projects.indexOf(file.project.name);
    // A worker continues only with files of its own project, so these stay together.
    return usual.toSorted(
      (a, b) =>
        last(hours, a) - last(hours, b) || project(a) - project(b) || last(longest, a) - last(longest, b),
    );
  }
}
