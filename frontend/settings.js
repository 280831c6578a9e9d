// What the renderer is told by its environment. What is wrong is refused at start, in words.

/**
 * @typedef {object} Settings
 * @property {string} host The address to listen on.
 * @property {number} port Its port; 0 for any that is free, which is then told.
 * @property {number} renderers Processes that render.
 */

/**
 * Reads the settings of `environment`; `cores` is how many processes render where it does not say.
 * @param {Record<string, string | undefined>} environment
 * @param {number} cores
 * @returns {{ settings: Settings, wrong: string[] }}
 */
export function readSettings(environment, cores) {
  /** @type {string[]} */
  const wrong = [];

  /**
   * @param {string} name
   * @param {number} otherwise
   * @param {number} least
   * @param {number} most
   */
  function count(name, otherwise, least, most) {
    const text = environment[name];
    if (text === undefined) return otherwise;
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    wrong.push(`${name} has to be a number from ${least} to ${most}, and is "${text}"`);
    return otherwise;
  }

  for (const name of ["QUERY_URL", "COMMAND_URL", "PUBLIC_URL", "PREVIEW_URL", "SITE_URL"]) {
    const text = environment[name];
    if (text === undefined) continue;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
      wrong.push(`${name} has to be an address such as http://host:port, and is "${text}"`);
    } else if (url.username !== "" || url.password !== "") {
      wrong.push(`${name} may hold no user and no password`);
    }
  }
  wrong.push(...readStagingApis(environment.STAGING_APIS).wrong, ...wrongAnalytics(environment));
  const settings = {
    host: environment.HOST ?? "127.0.0.1",
    port: count("PORT", 3000, 0, 65_535),
    renderers: count("RENDERERS", cores, 1, 64),
  };
  return { settings, wrong };
}

/**
 * What is wrong with the counting of visits: a script that no page may run would count nobody in silence.
 * @param {Record<string, string | undefined>} environment
 */
function wrongAnalytics(environment) {
  /** @type {string[]} */
  const wrong = [];
  for (const name of ["ANALYTICS_SRC", "ANALYTICS_REPORTS_TO"]) {
    const text = environment[name];
    if (text && !(URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))) {
      wrong.push(`${name} has to be an address such as https://host/path, and is "${text}"`);
    }
  }
  if (environment.ANALYTICS_SRC && !environment.ANALYTICS_TOKEN) {
    wrong.push("ANALYTICS_SRC needs ANALYTICS_TOKEN");
  }
  return wrong;
}

/**
 * Reads the development APIs that editors may look at: `name=http://host:port`, separated by commas.
 * @param {string | undefined} text
 * @returns {{ apis: Record<string, string>, wrong: string[] }}
 */
export function readStagingApis(text) {
  /** @type {Record<string, string>} */
  const apis = {};
  /** @type {string[]} */
  const wrong = [];
  for (const entry of (text ?? "").split(",").map((entry) => entry.trim())) {
    if (entry === "") continue;
    const [, name, address] = /^([a-z0-9-]{1,32})=(.+)$/.exec(entry) ?? [];
    const url = address && URL.canParse(address) ? new URL(address) : undefined;
    if (name === undefined || url === undefined || !["http:", "https:"].includes(url.protocol)) {
      wrong.push(
        `STAGING_APIS has to be name=http://host:port, separated by commas, and has "${entry}"`,
      );
    } else if (url.username !== "" || url.password !== "") {
      wrong.push(`STAGING_APIS: ${name} may hold no user and no password`);
    } else {
      apis[name] = url.origin;
    }
  }
  return { apis, wrong };
}
