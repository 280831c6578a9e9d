import { Buffer } from "node:buffer";
import PDFDocument from "pdfkit";
// The site's fonts in TTF, the only format that can be subset and embedded; the licences are beside the files.
import displayFont from "../../../../../services/shared/pictures/fonts/fraunces-420.ttf?inline";
import textFont from "../../../../../services/shared/pictures/fonts/hanken-grotesk-520.ttf?inline";

/** A4, in points. */
export const PAPER = { width: 595.28, height: 841.89 };

export const INK = "#192029";
export const MUTED = "#555b65";
export const LINE = "#d9dce2";
export const SUN = "#fccf47";
export const WHITE = "#ffffff";

const FONTS = { display: bytesOf(displayFont), text: bytesOf(textFont) };

/** Returns the bytes of a file that the build has inlined. */
function bytesOf(dataUrl: string): Buffer {
  return Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64");
}

interface TextStyle {
  readonly font?: keyof typeof FONTS;
  readonly size: number;
  readonly colour?: string;
  readonly width: number;
  /** The maximum number of lines; longer text ends in an ellipsis. */
  readonly lines?: number;
  readonly align?: "left" | "right";
}

interface DocumentInfo {
  readonly title: string;
  readonly about: string;
  readonly author: string;
  /** The language tag, such as `es-ES`. */
  readonly language: string;
  /** When its content last changed. Used as the creation date, so that the same content makes the same file. */
  readonly changedAt: Date;
}

interface Tag {
  /** The language, if it differs from the sheet's. */
  readonly lang?: string | undefined;
  /** The alternative text of an image. */
  readonly alt?: string;
}

/** Draws one tagged page: each element is either tagged for screen readers, or decoration. */
export class Pen {
  readonly pdf: PDFKit.PDFDocument;
  readonly #root: PDFKit.PDFStructureElement;
  readonly #chunks: Buffer[] = [];

  constructor({ title, about, author, language, changedAt }: DocumentInfo) {
    this.pdf = new PDFDocument({
      size: [PAPER.width, PAPER.height],
      margin: 0,
      pdfVersion: "1.7",
      tagged: true,
      displayTitle: true,
      lang: language,
      info: { Title: title, Subject: about, Author: author, CreationDate: changedAt },
      // The default font would not be embedded.
      font: null as never,
    });
    for (const [name, bytes] of Object.entries(FONTS)) this.pdf.registerFont(name, bytes);
    this.pdf.on("data", (chunk: Buffer) => this.#chunks.push(chunk));
    this.#root = this.pdf.struct("Document");
    this.pdf.addStructure(this.#root);
  }

  /** Draws an element that screen readers read, in the order of the calls. */
  tagged(type: string, draw: () => void, tag: Tag = {}): void {
    const { lang, alt } = tag;
    const options = { ...(lang && { lang }), ...(alt && { alt }) };
    this.#root.add(this.pdf.struct(type, options, draw));
  }

  /** Draws decoration, which screen readers skip. */
  decoration(draw: () => void): void {
    this.pdf.markContent("Artifact", { type: "Layout" });
    draw();
    this.pdf.endMarkedContent();
  }

  /** Writes `text` with its top left corner at `x` and `y`, and returns the y coordinate below it. */
  write(text: string, x: number, y: number, style: TextStyle): number {
    const { size, colour = INK, width, lines = 1, align = "left" } = style;
    this.#setFont(style);
    const line = this.pdf.currentLineHeight(true);
    const height = Math.min(this.pdf.heightOfString(text, { width }), lines * line);
    this.pdf.fillColor(colour).text(text, x, y, {
      width,
      // Slightly more than its lines, or rounding would drop the last one.
      height: lines * line + size / 10,
      ellipsis: true,
      align,
    });
    return y + height;
  }

  /** Returns the style with the largest font size, up to `size`, that fits the text into one line. */
  fitted(text: string, { size, ...style }: TextStyle): TextStyle {
    const width = this.widthOf(text, { size, ...style });
    return { ...style, size: Math.min(size, (size * style.width * 0.99) / width) };
  }

  widthOf(text: string, style: TextStyle): number {
    this.#setFont(style);
    return this.pdf.widthOfString(text);
  }

  async end(): Promise<Uint8Array<ArrayBuffer>> {
    this.#root.end();
    const ended = new Promise((resolve, reject) => {
      this.pdf.on("end", resolve).on("error", reject);
    });
    this.pdf.end();
    await ended;
    return new Uint8Array(Buffer.concat(this.#chunks));
  }

  #setFont({ font = "text", size }: TextStyle): void {
    this.pdf.font(font).fontSize(size);
  }
}
