/** Where the feeds stand, without their language. */
export const HOMES_FEED = "/new-properties.xml";
export const NEWS_FEED = "/news.xml";
