import type { Mounted } from '#server/http/handle.ts';

import { accountHandlers } from './accounts/handlers.ts';
import { approvalHandlers } from './approvals/handlers.ts';
import { auditHandlers } from './audit/handlers.ts';
import { commentHandlers } from './comments/handlers.ts';
import { courseHandlers } from './courses/handlers.ts';
import { deviationHandlers } from './deviations/handlers.ts';
import { trainingModuleHandlers } from './external-training-modules/handlers.ts';
import { guideHandlers } from './guides/handlers.ts';
import { releaseHandlers } from './guides/releases.ts';
import { guideSharingHandlers } from './guides/sharing.ts';
import { mediaHandlers } from './media/handlers.ts';
import { omanualHandlers } from './omanual/handlers.ts';
import { omanualVariantHandlers } from './omanual/variant.ts';
import { plannedOrderHandlers } from './planned-orders/handlers.ts';
import { postHandlers } from './posts/handlers.ts';
import { quizHandlers } from './quizzes/handlers.ts';
import { reportHandlers } from './reports/handlers.ts';
import { searchHandlers } from './search/handlers.ts';
import { setupHandlers } from './setup/handlers.ts';
import { shiftSummaryHandlers } from './shift-summaries/handlers.ts';
import { signOnHandlers, signOnSessionHandlers } from './sign-on/handlers.ts';
import { siteHandlers, sitesHandlers } from './site/handlers.ts';
import { stationBadgeHandlers, stationHandlers } from './stations/handlers.ts';
import { stepFormHandlers } from './step-forms/handlers.ts';
import { tagHandlers } from './tags/handlers.ts';
import { teamHandlers } from './teams/handlers.ts';
import {
  deviceSecretHandlers,
  passwordResetHandlers,
  sessionHandlers,
  tokenHandlers,
} from './tokens/handlers.ts';
import { tracingHandlers } from './tracing/handlers.ts';
import { glossaryHandlers } from './translation/handlers.ts';
import { userHandlers } from './users/handlers.ts';
import { webhookHandlers } from './webhooks/handlers.ts';
import { categoryHandlers, wikiHandlers } from './wikis/handlers.ts';
import { workLogHandlers } from './work-log/handlers.ts';

/** The handlers of all resources. */
export const resources: Mounted[] = [
  sitesHandlers,
  siteHandlers,
  setupHandlers,
  webhookHandlers,
  tokenHandlers,
  passwordResetHandlers,
  sessionHandlers,
  deviceSecretHandlers,
  accountHandlers,
  userHandlers,
  teamHandlers,
  guideHandlers,
  guideSharingHandlers,
  releaseHandlers,
  workLogHandlers,
  deviationHandlers,
  plannedOrderHandlers,
  tracingHandlers,
  reportHandlers,
  shiftSummaryHandlers,
  stationHandlers,
  stationBadgeHandlers,
  stepFormHandlers,
  commentHandlers,
  mediaHandlers,
  omanualHandlers,
  omanualVariantHandlers,
  postHandlers,
  wikiHandlers,
  categoryHandlers,
  tagHandlers,
  glossaryHandlers,
  searchHandlers,
  trainingModuleHandlers,
  courseHandlers,
  quizHandlers,
  signOnHandlers,
  signOnSessionHandlers,
  auditHandlers,
  approvalHandlers,
];
