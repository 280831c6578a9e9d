// Extracts the rules that `@directus/visual-editing` would put into an inline `<style>`, which the pages'
// content security policy refuses, into a stylesheet of our own, where the package finds them:
//   node scripts/visual-editing-styles.ts > app/features/shell/preview/visual-editing.gen.css
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

interface Written {
  id?: string;
  textContent?: string;
  innerHTML?: string;
}

/** Returns the styles that the package writes, by running its function with a fake document. */
export function visualEditingStyles(): string {
  const file = fileURLToPath(import.meta.resolve("@directus/visual-editing"));
  const source = readFileSync(file, "utf8")
    .replace(/^import [^;]*;/, "")
    .replace(/export\{[^}]*\};?/, "");
  // The class that writes them is the first one in the module, and not exported.
  const name = /var (\w+)=class/.exec(source)?.[1];
  const written: Written[] = [];
  const document = {
    getElementById: () => null,
    createElement: () => {
      const element: Written & { appendChild: (node: Written) => void } = {
        appendChild: (node) => written.push(node),
      };
      written.push(element);
      return element;
    },
    createTextNode: (textContent: string) => ({ textContent }),
    head: { appendChild: () => undefined, append: () => undefined },
  };
  const window = { addEventListener: () => undefined, parent: {}, location: { href: "" } };
  vm.runInNewContext(`${source}\n${name}.addStyles();`, { document, window, URL, console });
  const text = written.map((one) => one.textContent ?? one.innerHTML ?? "").join("\n");
  const lines = text.split("\n").map((line) => line.trim());
  return `/* @directus/visual-editing, MIT: made by scripts/visual-editing-styles.ts */\n${lines.filter(Boolean).join("\n")}\n`;
}

if (import.meta.main ?? process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(visualEditingStyles());
}
