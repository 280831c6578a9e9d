import { createCanvas } from "@napi-rs/canvas";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import decodeQR from "qr/decode.js";

/** Pixels per point, for 150 dots per inch. */
const SCALE = 150 / 72;

export interface SheetFile {
  readonly pages: number;
  readonly language: string | undefined;
  readonly title: string | undefined;
  /** Whether the PDF is tagged, so that screen readers can tell content from decoration. */
  readonly tagged: boolean;
  /** All its text, in reading order. */
  readonly text: string;
  /** The alternative texts of its images. */
  readonly alternatives: string[];
  readonly fonts: string[];
  /** Whether it contains a script. */
  readonly scripted: boolean;
  /** The content of its QR code, read from the rendered page. */
  readonly code: string;
}

/** Returns the number of pages and the text of a printed page. */
export async function readPrint(file: Uint8Array): Promise<{ pages: number; text: string }> {
  const task = getDocument({ data: Uint8Array.from(file), useSystemFonts: false });
  const pdf = await task.promise;
  try {
    const words: string[] = [];
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const { items } = await (await pdf.getPage(number)).getTextContent();
      words.push(...items.flatMap((item) => ("str" in item ? [item.str] : [])));
    }
    return { pages: pdf.numPages, text: words.join(" ").replace(/\s+/g, " ") };
  } finally {
    await task.destroy();
  }
}

interface Node {
  readonly role?: string;
  readonly alt?: string;
  readonly children?: readonly Node[];
}

/** Reads a sheet as a viewer does. */
export async function readSheet(file: Uint8Array): Promise<SheetFile> {
  // A copy, since pdf.js takes over the buffer.
  const task = getDocument({ data: Uint8Array.from(file), useSystemFonts: false });
  const pdf = await task.promise;
  try {
    const page = await pdf.getPage(1);
    const { info } = (await pdf.getMetadata()) as { info: Record<string, string | undefined> };
    const { items } = await page.getTextContent();
    const words = items.flatMap((item) => ("str" in item ? [item.str] : []));
    const tree = (await page.getStructTree()) as Node | null;
    const all = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(all)];
    const viewport = page.getViewport({ scale: SCALE });
    const canvas = createCanvas(Math.round(viewport.width), Math.round(viewport.height));
    await page.render({ canvas: canvas as never, viewport }).promise;
    const { data, width, height } = canvas
      .getContext("2d")
      .getImageData(0, 0, canvas.width, canvas.height);
    const fonts = new Set(
      [
        ...Buffer.from(file)
          .toString("latin1")
          .matchAll(/\/BaseFont \/(\S+)/g),
      ].map(([, name = ""]) => name),
    );
    return {
      pages: pdf.numPages,
      language: info.Language,
      title: info.Title,
      tagged: /\/Marked true/.test(Buffer.from(file).toString("latin1")) && tree !== null,
      text: words.join(" ").replace(/\s+/g, " "),
      alternatives: tree ? all(tree).flatMap(({ alt }) => (alt ? [alt] : [])) : [],
      fonts: [...fonts],
      scripted: (await pdf.getJSActions()) !== null,
      code: decodeQR({ data, width, height }),
    };
  } finally {
    await task.destroy();
  }
}
