import { SHOWN_EVENT } from "#app/lib/browser/shown.ts";

const PRELOAD = /<link rel="modulepreload"[^>]*?href="([^"]+)"[^>]*>/g;
const IMPORT = /import (?:\* as (\w+) from )?("[^"]+");/g;

/**
 * Has a document fetch its scripts when it is shown (see `shown.ts`): after its styles, letters and
 * first pictures, or at the visitor's first touch or key. Everything on it can be read and followed
 * before.
 *
 * The router writes one script that imports what the document needs; it becomes a function that is
 * called then, and keeps the mark by which it is known to be the router's. A document without that
 * script stays as it is.
 */
export function startWhenShown(html: string, mark: string): string {
  const start = new RegExp(
    `<script(?=[^>]* nonce="${mark}")(?=[^>]* type="module")[^>]*>([\\s\\S]*?)</script>`,
  ).exec(html);
  if (!start) return html;
  const files = Array.from(html.matchAll(PRELOAD), ([, href]) => JSON.stringify(href));
  return html.replace(PRELOAD, "").replace(start[0], () => later(start[1] ?? "", files, mark));
}

function later(source: string, files: readonly string[], mark: string): string {
  const imports = Array.from(source.matchAll(IMPORT), ([, name, file]) => ({ name, file }));
  const names = imports.map(({ name }) => name ?? "").join();
  const modules = imports.map(({ file }) => `import(${file})`).join();
  const rest = source.replace(IMPORT, "").trim();
  // All at once: what a module imports would else be asked for when it is here itself. But not what
  // the rest imports, for to import is to run: the entry needs what the rest has set before.
  const ahead = files
    .filter((file) => !rest.includes(`import(${file})`))
    .map((file) => `import(${file});`)
    .join("");
  return `<script nonce="${mark}">(()=>{const begin=async()=>{${ahead}const [${names}]=await Promise.all([${modules}]);${rest}};if("shown" in document.documentElement.dataset)begin();else addEventListener("${SHOWN_EVENT}",begin,{once:true})})()</script>`;
}
