// Packs the build's texts as small as they get, beside themselves: the site service serves the smaller forms
// as they stand. They live for as long as the build does, so each byte is worth the work.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** Fonts and pictures are packed in their own formats already. */
const TEXTS = /\.(css|html|js|json|mjs|svg|txt|wasm|webmanifest|xml)$/;
/** Below this a file fits in a packet or two, and packing gains nothing. */
const SMALLEST = 1_000;
/** How far back packing looks, as a power of two: who unpacks needs no more than 256 KB for it. */
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
  if (text.length < SMALLEST) continue;
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
