import { createCanvas, loadImage } from "@napi-rs/canvas";
import { afterEach, expect, test, vi } from "vitest";
import { sendPictures } from "./pictures.ts";

afterEach(() => vi.unstubAllGlobals());

test("transparent parts of a picture that is scaled down become white", async () => {
  const bodies: Blob[] = [];
  vi.stubGlobal("document", { createElement: () => createCanvas(1, 1) });
  vi.stubGlobal("createImageBitmap", async () =>
    Object.assign(createCanvas(4_000, 20), { close: () => undefined }),
  );
  vi.stubGlobal("fetch", async (_: string, { body }: { body: Blob }) => {
    bodies.push(body);
    return Response.json({ id: "one" }, { status: 201 });
  });
  const plan = new File([new Uint8Array(8)], "plan.png", { type: "image/png" });
  expect(await sendPictures([plan], "en")).toEqual({ ids: ["one"] });
  const [sent] = bodies;
  if (!sent) throw new Error("nothing was sent");
  expect(sent.type).toBe("image/jpeg");
  const picture = await loadImage(Buffer.from(await sent.arrayBuffer()));
  const pen = createCanvas(picture.width, picture.height).getContext("2d");
  pen.drawImage(picture, 0, 0);
  expect([picture.width, picture.height]).toEqual([2_000, 10]);
  expect([...pen.getImageData(1_000, 5, 1, 1).data]).toEqual([255, 255, 255, 255]);
});

test("a picture that is small enough is sent unchanged, and is released in the browser", async () => {
  const close = vi.fn();
  vi.stubGlobal("createImageBitmap", async () => ({ width: 800, height: 600, close }));
  const fetch = vi.fn(async () => Response.json({ id: "one" }, { status: 201 }));
  vi.stubGlobal("fetch", fetch);
  const photo = new File([new Uint8Array(8)], "terrace.jpg", { type: "image/jpeg" });
  expect(await sendPictures([photo], "en")).toEqual({ ids: ["one"] });
  expect(fetch).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ body: photo }));
  expect(close).toHaveBeenCalledOnce();
});

test("a picture that is stored without an id is a failure", async () => {
  vi.stubGlobal("createImageBitmap", async () => {
    throw new DOMException("no picture", "InvalidStateError");
  });
  vi.stubGlobal("fetch", async () => Response.json({}, { status: 201 }));
  const photo = new File([new Uint8Array(8)], "terrace.jpg");
  expect(await sendPictures([photo], "en")).toEqual({ failure: "away" });
});

test("a picture that is too large is reported at the field for pictures", async () => {
  vi.stubGlobal("createImageBitmap", async () => {
    throw new DOMException("no picture", "InvalidStateError");
  });
  vi.stubGlobal("fetch", async () => Response.json({}, { status: 413 }));
  const scan = new File([new Uint8Array(8)], "plan.tiff");
  expect(await sendPictures([scan], "es")).toEqual({
    errors: [{ field: "pictures", detail: expect.stringContaining("demasiado grande") }],
  });
});

test("of several pictures the refused one is named, and a single one is not", async () => {
  vi.stubGlobal("createImageBitmap", async () => {
    throw new DOMException("no picture", "InvalidStateError");
  });
  const refused = { errors: [{ field: "pictures", detail: "It is no picture." }] };
  const answers: [number, unknown][] = [];
  vi.stubGlobal("fetch", async () => {
    const [status, body] = answers.shift() ?? [201, { id: "one" }];
    return Response.json(body, { status });
  });
  const [first, second, third] = ["terrace.jpg", "IMG_7.heic", "pool.jpg"].map(
    (name) => new File([new Uint8Array(8)], name),
  ) as [File, File, File];

  answers.push([201, { id: "one" }], [422, refused]);
  expect(await sendPictures([first, second, third], "en")).toEqual({
    errors: [{ field: "pictures", detail: "IMG_7.heic: It is no picture." }],
  });
  answers.push([201, { id: "one" }], [413, {}]);
  expect(await sendPictures([first, second], "es")).toEqual({
    errors: [{ field: "pictures", detail: expect.stringMatching(/^IMG_7\.heic: .*grande/) }],
  });
  answers.push([422, refused]);
  expect(await sendPictures([second], "en")).toEqual(refused);
});
