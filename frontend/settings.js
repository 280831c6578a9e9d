// The renderer's settings, read from the environment. Invalid ones are reported at start.

/**
 * @typedef {object} Settings
 * @property {string} host The address to listen on.
 * @property {number} port Its port; 0 for any free port, which is then logged.
 * @property {number} renderers The number of processes that render.
 */

/**
 * Reads the settings from `environment`; `cores` is the default number of rendering processes.
 * @param {Record<string, string | undefined>} environment
 * @param {number} cores
 * @returns {{ settings: Settings, wrong: string[] }}
 */
export function readSettings(environment, cores) {
  /** @type {string[]} */
  const wrong = [];

  /**
   * @param {string} name
   * @param {number} fallback
   * @param {number} min
   * @param {number} max
   */
  function count(name, fallback, min, max) {
    const text = environment[name];
    if (text === undefined) return fallback;
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= min && number <= max) return number;
    wrong.push(`${name} has to be a number from ${min} to ${max}, and is "${text}"`);
    return fallback;
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
  wrong.push(...readStagingApis(environment.STAGING_APIS).wrong, ...analyticsErrors(environment));
  const settings = {
    host: environment.HOST ?? "127.0.0.1",
    port: count("PORT", 3000, 0, 65_535),
    renderers: count("RENDERERS", cores, 1, 64),
  };
  return { settings, wrong };
}

/**
 * Validates the analytics settings: a script that no page may run would silently count nobody.
 * @param {Record<string, string | undefined>} environment
 */
function analyticsErrors(environment) {
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
 * Reads the development APIs that editors may preview: `name=http://host:port`, separated by commas.
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
