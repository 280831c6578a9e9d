import { createCanvas, loadImage } from "@napi-rs/canvas";
import { afterEach, expect, test, vi } from "vitest";
import { sendPictures } from "./pictures.ts";

afterEach(() => vi.unstubAllGlobals());

test("what is transparent in a picture that is made smaller is white", async () => {
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
