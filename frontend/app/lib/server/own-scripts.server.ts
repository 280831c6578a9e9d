import { createHash, randomBytes } from "node:crypto";

/**
 * A mark for one render's scripts: what the content service sent was there before it, so nothing in
 * it can carry the mark.
 */
export function newMark(): string {
  return randomBytes(16).toString("hex");
}

/**
 * The hashes of the inline scripts that carry the mark, and the document without it. Each character
 * of it stands for a byte.
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
