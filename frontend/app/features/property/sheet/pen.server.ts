import { Buffer } from "node:buffer";
import PDFDocument from "pdfkit";
// The pages' own fonts, in the one form that can be cut and embedded; their licences stand beside them.
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

/** The bytes of a file that the build has put into the code. */
function bytesOf(dataUrl: string): Buffer {
  return Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64");
}

interface TextStyle {
  readonly font?: keyof typeof FONTS;
  readonly size: number;
  readonly colour?: string;
  readonly width: number;
  /** What does not fit into so many lines ends in an ellipsis. */
  readonly lines?: number;
  readonly align?: "left" | "right";
}

interface Titled {
  readonly title: string;
  readonly about: string;
  readonly author: string;
  /** Its tag, such as `es-ES`. */
  readonly language: string;
  /** When what it says was last changed: the same words make the same file. */
  readonly changedAt: Date;
}

interface Tag {
  /** Its language, where it is another than the sheet's. */
  readonly lang?: string | undefined;
  /** What it shows, for who can't see it. */
  readonly alt?: string;
}

/** Draws one tagged page: each thing is either part of what is read out, or decoration. */
export class Pen {
  readonly pdf: PDFKit.PDFDocument;
  readonly #read: PDFKit.PDFStructureElement;
  readonly #chunks: Buffer[] = [];

  constructor({ title, about, author, language, changedAt }: Titled) {
    this.pdf = new PDFDocument({
      size: [PAPER.width, PAPER.height],
      margin: 0,
      pdfVersion: "1.7",
      tagged: true,
      displayTitle: true,
      lang: language,
      info: { Title: title, Subject: about, Author: author, CreationDate: changedAt },
      // Those that it begins with by itself are not in the file.
      font: null as never,
    });
    for (const [name, bytes] of Object.entries(FONTS)) this.pdf.registerFont(name, bytes);
    this.pdf.on("data", (chunk: Buffer) => this.#chunks.push(chunk));
    this.#read = this.pdf.struct("Document");
    this.pdf.addStructure(this.#read);
  }

  /** Draws what is read out, in the order of the calls. */
  tagged(type: string, draw: () => void, tag: Tag = {}): void {
    const { lang, alt } = tag;
    const options = { ...(lang && { lang }), ...(alt && { alt }) };
    this.#read.add(this.pdf.struct(type, options, draw));
  }

  /** Draws what only eyes need. */
  decoration(draw: () => void): void {
    this.pdf.markContent("Artifact", { type: "Layout" });
    draw();
    this.pdf.endMarkedContent();
  }

  /** Writes `text` from the left upper corner on, and says where what follows may begin. */
  write(text: string, x: number, y: number, style: TextStyle): number {
    const { size, colour = INK, width, lines = 1, align = "left" } = style;
    this.#use(style);
    const line = this.pdf.currentLineHeight(true);
    const height = Math.min(this.pdf.heightOfString(text, { width }), lines * line);
    this.pdf.fillColor(colour).text(text, x, y, {
      width,
      // A hair more than its lines: the last one would not fit for being rounded.
      height: lines * line + size / 10,
      ellipsis: true,
      align,
    });
    return y + height;
  }

  /** As large as it fits into one line of `width`, and no larger than `size`. */
  fitted(text: string, { size, ...style }: TextStyle): TextStyle {
    const width = this.widthOf(text, { size, ...style });
    return { ...style, size: Math.min(size, (size * style.width * 0.99) / width) };
  }

  widthOf(text: string, style: TextStyle): number {
    this.#use(style);
    return this.pdf.widthOfString(text);
  }

  async end(): Promise<Uint8Array<ArrayBuffer>> {
    this.#read.end();
    const ended = new Promise((resolve, reject) => {
      this.pdf.on("end", resolve).on("error", reject);
    });
    this.pdf.end();
    await ended;
    return new Uint8Array(Buffer.concat(this.#chunks));
  }

  #use({ font = "text", size }: TextStyle): void {
    this.pdf.font(font).fontSize(size);
  }
}
