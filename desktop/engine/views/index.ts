import type { Views } from '../api.ts';
import type { Core } from '../core.ts';
import { servicesOf } from '../services.ts';
import { activity } from './activity.ts';
import { categoryTree } from './category-tree.ts';
import { conflict } from './conflict.ts';
import { documentFile } from './document-file.ts';
import { draft } from './draft.ts';
import { guide } from './guide.ts';
import { library } from './library.ts';
import { toLive } from './live.ts';
import { picture } from './picture.ts';
import { storage } from './storage.ts';
import { workOrder, workOrders } from './work-orders.ts';

/** Every live read of the app, upon an engine's core. */
export function createViews(core: Core): Views {
  const services = servicesOf(core);
  const { sources } = services;
  return {
    session: () => toLive(core.session.state),
    syncState: () => toLive(core.sync.state),
    categoryTree: () => toLive(categoryTree(sources)),
    library: (query) => toLive(library(services, query)),
    guide: (guideid) => toLive(guide(services, guideid)),
    workOrders: () => toLive(workOrders(sources)),
    workOrder: (entryid) => toLive(workOrder(sources, entryid)),
    draft: (guideid) => toLive(draft(services, guideid)),
    activity: () => toLive(activity(sources)),
    conflict: (guideid) => toLive(conflict(services, guideid)),
    picture: (guid, size) => toLive(picture(services, guid, size)),
    document: (guid) => toLive(documentFile(services, guid)),
    storage: () => toLive(storage(services)),
  };
}
