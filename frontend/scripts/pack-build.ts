// Compresses the build's text files at the highest level, beside the originals: the site service serves the
// compressed files as they are. They live as long as the build, so the extra work pays off.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** Fonts and pictures are already compressed in their own formats. */
const TEXTS = /\.(css|html|js|json|mjs|svg|txt|wasm|webmanifest|xml)$/;
/** A smaller file fits into a packet or two, so compression gains nothing. In bytes. */
const MIN_SIZE = 1_000;
/** The window of the compression as a power of two: decompression needs no more than 256 KB. */
const WINDOW = 18;

const FORMS = {
  ".br": (text: Buffer) =>
    brotliCompressSync(text, {
      params: {
        [constants.BROTLI_PARAM_LGWIN]: WINDOW,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    }),
  ".gz": (text: Buffer) => gzipSync(text, { level: constants.Z_BEST_COMPRESSION }),
};

const client = new URL("../build/client", import.meta.url).pathname;
const sums = { files: 0, bytes: 0, ".br": 0, ".gz": 0 };
for (const name of readdirSync(client, { recursive: true, encoding: "utf8" })) {
  if (!TEXTS.test(name)) continue;
  const path = join(client, name);
  const text = readFileSync(path);
  if (text.length < MIN_SIZE) continue;
  sums.files += 1;
  sums.bytes += text.length;
  for (const extension of [".br", ".gz"] as const) {
    const packed = FORMS[extension](text);
    if (packed.length >= text.length) continue;
    writeFileSync(`${path}${extension}`, packed);
    sums[extension] += packed.length;
  }
}
console.log(
  `${sums.files} files of ${sums.bytes} bytes are ${sums[".br"]} as Brotli, ${sums[".gz"]} as gzip`,
);
