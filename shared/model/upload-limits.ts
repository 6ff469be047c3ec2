/** Maximum size of an uploaded file in megabytes, whatever the site's setting. */
export const mostUploadMegabytes = 80;

/** Maximum number of pixels of an uploaded picture (MEDIA-7). */
export const maxPixels = 50_000_000;
