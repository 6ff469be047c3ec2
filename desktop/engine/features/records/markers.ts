export { markerOf, parseMarkers } from '#shared/rules/markers.ts';
