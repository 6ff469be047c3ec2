import { areas, joined } from './areas.ts';
import { auditText } from './en/audit.ts';
import { orderHistoryText } from './en/order-history.ts';
import { settingGroupText, settingText } from './en/site-settings.ts';

/** Texts of screens that few people open, apart from `text`, so that the app does not load them before its first screen. */
export const lateText = {
  audit: {
    ...auditText,
    kinds: joined<string>(auditText.kinds, ...areas.map(({ recordNames }) => recordNames)),
  },
  setting: settingText,
  settingGroup: settingGroupText,
  orderHistory: orderHistoryText,
};
