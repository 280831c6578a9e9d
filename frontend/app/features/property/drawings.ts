/** Drawings of the page's head. */
export const COPY = "M8.5 8.5h11v11h-11v-11Zm-3 7h-1v-11h11v1";
export const PRINT = "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7v-6Z";
export const SHARE = "M12 14V4m-4 3.5L12 4l4 3.5M6 11H5v9h14v-9h-1";
