import { createHash, randomBytes } from "node:crypto";

/**
 * Returns a random mark for the scripts of one render. Content from the content service existed before, so it
 * can't contain the mark.
 */
export function newMark(): string {
  return randomBytes(16).toString("hex");
}

/**
 * Returns the hashes of the inline scripts that carry the mark, and the document without the mark. Each
 * character of the document represents one byte.
 */
export function ownScripts(marked: string, mark: string): { html: string; hashes: string[] } {
  const inline = new RegExp(
    `<script(?=[^>]* nonce="${mark}")(?![^>]* src=)[^>]*>([\\s\\S]*?)</script>`,
    "g",
  );
  const hashes = Array.from(marked.matchAll(inline), ([, source = ""]) =>
    createHash("sha256").update(source, "latin1").digest("base64"),
  );
  return { html: marked.replaceAll(` nonce="${mark}"`, ""), hashes };
}
