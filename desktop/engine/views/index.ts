import type { CoreViews } from '../api/engine.ts';
import { areaViews, type AreaViews } from '../areas/index.ts';
import type { Core } from '../account/core.ts';
import { joined } from '../platform/joined.ts';
import { holdsUnstored, servicesOf } from '../features/services.ts';
import { archivedGuide } from '../features/archives/ids.ts';
import { activity } from './activity.ts';
import { approvals, guideApproval } from './approvals.ts';
import { archivedGuideView } from './archived-guide.ts';
import {
  archive,
  archiveImports,
  archiveNews,
  archives,
  comingArchives,
  serverArchives,
  taggedGuides,
} from './archives.ts';
import { categoryTree } from '../features/records/category-tree.ts';
import { canReopen, conflict, wikiConflict } from './conflict.ts';
import { courses } from './courses.ts';
import { session, storage, syncState } from './device-state.ts';
import { documentFile, videoFile } from './document-file.ts';
import { draft } from './draft.ts';
import { guide } from '../features/records/guide.ts';
import { keptRecords } from './kept-words.ts';
import { library } from './library.ts';
import { toLive } from '../features/live.ts';
import { page, pages, textSources } from './pages.ts';
import { directory, person, team } from './people.ts';
import { pinnedGuide } from '../features/records/pinned-releases.ts';
import { finderViews } from './finder.ts';
import { picture } from './picture.ts';
import { pinnedGuideView } from './released-guide.ts';
import { tracingViews } from './tracing.ts';
import { board, workOrder, workOrders } from './work-orders.ts';

/** All live reads of the app. */
export function createViews(core: Core): CoreViews & AreaViews {
  const services = servicesOf(core);
  const { sources } = services;
  const views: CoreViews = {
    session: () => toLive(session(sources)),
    syncState: () => toLive(syncState(services)),
    categoryTree: () => toLive(categoryTree(sources)),
    library: (query) => toLive(library(services, query)),
    guide: (guideid) => {
      const archived = archivedGuide(guideid);
      const pinned = pinnedGuide(guideid);
      if (pinned !== null) return toLive(pinnedGuideView(services, pinned));
      return toLive(
        archived === null
          ? guide(services, guideid)
          : archivedGuideView(services, archived.archiveid, archived.place),
      );
    },
    archives: () => toLive(archives(services)),
    archive: (query) => toLive(archive(services, query)),
    archiveImports: () => toLive(archiveImports(services)),
    archiveNews: () => toLive(archiveNews(services)),
    taggedGuides: () => toLive(taggedGuides(sources)),
    serverArchives: () => toLive(serverArchives(services)),
    comingArchives: () => toLive(comingArchives(services)),
    workOrders: () => toLive(workOrders(sources)),
    board: () => toLive(board(sources)),
    workOrder: (entryid) => toLive(workOrder(sources, entryid)),
    ...tracingViews(sources),
    ...finderViews(services),
    draft: (guideid) => toLive(draft(services, guideid)),
    pages: (namespace) => toLive(pages(sources, namespace)),
    page: (wikiid) => toLive(page(services, wikiid)),
    textSources: () => toLive(textSources(sources)),
    directory: () => toLive(directory(sources)),
    person: (userid) => toLive(person(sources, userid)),
    team: (teamid) => toLive(team(sources, teamid)),
    courses: () => toLive(courses(sources)),
    approvals: () => toLive(approvals(sources)),
    guideApproval: (guideid) => toLive(guideApproval(sources, guideid)),
    unsavedForm: (id) => toLive(services.forms.form(id)),
    unsavedForms: (prefix) => toLive(services.forms.startingWith(prefix)),
    holdsUnstored: () => toLive(holdsUnstored(services)),
    preparedDecisions: () => toLive(services.prepared.decisions),
    activity: () => toLive(activity(services)),
    keptWords: () => toLive(keptRecords(sources)),
    conflict: (id) =>
      toLive(
        id.startsWith('wiki:') ? wikiConflict(sources, id.slice('wiki:'.length)) : conflict(services, id),
      ),
    canReopen: (id) => toLive(canReopen(services, id)),
    picture: (guid, size) => toLive(picture(services, guid, size)),
    video: (file) => toLive(videoFile(services, file)),
    document: (guid) => toLive(documentFile(services, guid)),
    storage: () => toLive(storage(services)),
  };
  return joined(areaViews(services), views);
}
