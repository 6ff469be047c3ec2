import { Problem, notFound } from '#shared/api/problem.ts';

import { heldBy } from '../platform/held.ts';
import { joined } from '../platform/joined.ts';
import type { CoreActions } from '../api/engine.ts';
import type { FormActions } from '../api/forms.ts';
import { areaActions, type AreaActions } from '../areas/index.ts';
import type { Core } from '../account/core.ts';
import { guideSaveOf } from '../outbox/kinds/guides.ts';
import { errorFacts } from '../account/log-work.ts';
import { documentBlob } from '../features/media/document-blob.ts';
import { finishRemovals } from '../features/leaving/removal.ts';
import type { ConflictHandler } from '../platform/ports.ts';
import { type Services, servicesOf } from '../features/services.ts';
import { temporaryStepId } from '../features/records/overlay/guide.ts';
import type { ActionContext } from '../features/action-context.ts';
import { accountAdminActions } from './accounts.ts';
import { accountActions } from './account.ts';
import { approvalActions } from './approvals.ts';
import { archiveActions } from './archives.ts';
import { auditActions } from './audit.ts';
import { decisionActions } from './decisions.ts';
import { deviceCheckActions } from './device-check.ts';
import { commentActions } from './comments.ts';
import { conflictHandler, queueResolved } from './conflicts.ts';
import { draftActions } from './drafts.ts';
import { guideHistoryActions } from './guide-history.ts';
import { guideActions } from './guides.ts';
import { keptWordsActions } from './kept-words.ts';
import { orderSigningActions } from './order-signing.ts';
import { orderHistoryActions } from './order-history.ts';
import { reportActions } from './reports.ts';
import { outboxActions } from './outbox.ts';
import { pageActions } from './pages.ts';
import { peopleActions } from './people.ts';
import { sessionActions } from './session.ts';
import { setupActions } from './setup.ts';
import { signOnActions } from './sign-on.ts';
import { siteActions } from './site.ts';
import { stationAdminActions } from './stations.ts';
import { tracingActions } from './tracing.ts';
import { teamAdminActions } from './teams.ts';
import { trainingActions } from './training.ts';
import { waitingWorkActions } from './waiting-work.ts';
import { workOrderActions } from './work-orders.ts';

type Actions = CoreActions & AreaActions;

/**
 * All writes of the app. Also sets the handler of the outbox's conflicts. An action that began in one home reads and
 * writes no other one (account README, ACCOUNT-11).
 */
export function createActions(core: Core): Actions {
  const services = servicesOf(core);
  let present = { held: core.held(), actions: actionsOf(contextOf(core.held(), services)) };
  const now = (): Actions => {
    const held = core.held();
    if (held !== present.held) present = { held, actions: actionsOf(contextOf(held, services)) };
    return present.actions;
  };
  const conflicts = (): ConflictHandler => conflictHandler(contextOf(core.held(), services));
  core.handleConflicts({
    settle: (call, current) => conflicts().settle(call, current),
    pathNow: (call) => conflicts().pathNow(call),
    isMistaken: (call) => conflicts().isMistaken(call),
    overwriting: (calls) => conflicts().overwriting(calls),
    meetHistory: (made) => conflicts().meetHistory(made),
  });
  // A contested save may have no open conflicts: the server's version changed, or the app ended after the last
  // decision.
  services.drafts.decided.subscribe((guideid) => {
    // A failure is tried again with the next change.
    queueResolved(contextOf(core.held(), services), guideid).catch(() => undefined);
  });
  // Finishes removals that the last sign-out did not complete. A failure is tried again at the next start.
  finishRemovals(services).catch((error: unknown) =>
    core.log.note({ home: null, what: 'removal-failed', facts: errorFacts(error) }),
  );
  const whenCalled = Object.keys(present.actions).map((name) => {
    const run = (...args: unknown[]): unknown => Reflect.apply(Reflect.get(now(), name), undefined, args);
    return [name, run] as const;
  });
  return Object.assign({ ...present.actions }, Object.fromEntries(whenCalled));
}

/** The context of actions in one home. */
function contextOf(held: Core, services: Services): ActionContext {
  const { mustHold } = held;
  return {
    ...services,
    sources: { ...services.sources, core: held },
    drafts: heldBy(services.drafts, mustHold),
    leaving: heldBy(services.leaving, mustHold),
    calls: () => held.outbox.present(),
    resolve: services.sources.resolve,
    userid: () => userOf(held),
    guideOfStep: (stepid) => guideOfStep(held, services, stepid),
  };
}

function actionsOf(context: ActionContext): Actions {
  const direct: Pick<
    CoreActions,
    'prepareDecision' | 'adoptDecisions' | 'downloadGuides' | 'readDocument' | 'readPicture'
  > &
    FormActions = {
    prepareDecision: (requestid, decision) => context.prepared.keep(requestid, decision),
    adoptDecisions: (decisions) => context.prepared.adopt(decisions),
    keepForm: (id, form) => context.forms.keep(id, form),
    keepFormFile: (file) => context.forms.keepFile(file),
    formFile: (id) => context.forms.file(id),
    adoptForms: (forms) => context.forms.adopt(forms),
    downloadGuides: (guideids) => context.media.pin(guideids),
    readDocument: async (guid) => {
      const blob = await documentBlob(context, guid);
      if (blob === undefined) throw notFound('Document');
      return blob;
    },
    readPicture: async (guid) => {
      // Loaded later: only the editor of pictures needs it.
      const { pictureFile } = await import('../features/media/picture-file.ts');
      return pictureFile(context, guid);
    },
  };
  return joined(
    areaActions(context),
    sessionActions(context),
    archiveActions(context),
    guideActions(context),
    commentActions(context),
    pageActions(context),
    peopleActions(context),
    accountActions(context),
    accountAdminActions(context),
    siteActions(context),
    stationAdminActions(context),
    teamAdminActions(context),
    setupActions(context),
    auditActions(context),
    orderHistoryActions(context),
    reportActions(context),
    guideHistoryActions(context),
    approvalActions(context),
    signOnActions(context),
    tracingActions(context),
    trainingActions(context),
    workOrderActions(context),
    orderSigningActions(context),
    draftActions(context),
    decisionActions(context),
    outboxActions(context),
    keptWordsActions(context),
    waitingWorkActions(context),
    deviceCheckActions(context),
    direct,
  );
}

function userOf(core: Core): number {
  const { user } = core.session.current();
  if (user === null) throw new Problem('unauthorized', 'Sign in first');
  return user.userid;
}

/** The guide of a step, by its temporary or its real id. */
async function guideOfStep(core: Core, { index }: Services, stepid: string): Promise<string> {
  const local = core.outbox
    .present()
    .find((call) => guideSaveOf(call)?.content.steps.some((step) => temporaryStepId(step.key) === stepid));
  if (local !== undefined) return core.outbox.realId(local.target.id) ?? local.target.id;
  const guideid = await index.guideOfStep(stepid);
  if (guideid === undefined) throw notFound('Step');
  return guideid;
}
