import type { ActionContext } from '../features/action-context.ts';
import type { Services } from '../features/services.ts';
import { joined } from '../platform/joined.ts';
import { deviationActions, deviationViews } from './deviations.ts';
import { feedbackActions, feedbackViews } from './feedback.ts';
import { followUpActions, followUpViews } from './follow-ups.ts';
import { offlineActions, offlineViews } from './offline.ts';
import { guideHistoryViews } from './guide-history.ts';
import { orderRecordViews } from './order-records.ts';
import { orderRevisionActions, orderRevisionViews } from './order-revisions.ts';
import { plannedActions } from './planned-orders.ts';
import { plannedViews } from './planned-views.ts';
import { quizActions, quizViews } from './quizzes.ts';
import { secondPersonViews } from './second-persons.ts';
import { shiftSummaryActions, shiftSummaryViews } from './shift-summaries.ts';
import { stationActions, stationViews } from './stations.ts';
import { stepFormActions, stepFormViews } from './step-forms.ts';

/** The views of all areas. Their types follow from the areas. Two areas with a view of the same name throw. */
export function areaViews(services: Services) {
  return joined(
    quizViews(services),
    deviationViews(services),
    feedbackViews(services),
    plannedViews(services),
    followUpViews(services),
    shiftSummaryViews(services),
    orderRevisionViews(services),
    orderRecordViews(services),
    secondPersonViews(services),
    stationViews(services),
    stepFormViews(services),
    offlineViews(services),
    guideHistoryViews(services),
  );
}

/** The actions of all areas. Two areas with an action of the same name throw. */
export function areaActions(context: ActionContext) {
  return joined(
    quizActions(context),
    deviationActions(context),
    feedbackActions(context),
    plannedActions(context),
    followUpActions(context),
    shiftSummaryActions(context),
    orderRevisionActions(context),
    stationActions(context),
    stepFormActions(context),
    offlineActions(context),
  );
}

export type AreaViews = ReturnType<typeof areaViews>;
export type AreaActions = ReturnType<typeof areaActions>;
