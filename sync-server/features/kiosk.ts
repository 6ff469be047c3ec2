export { isBeyondKiosk } from '#shared/rules/kiosk.ts';
