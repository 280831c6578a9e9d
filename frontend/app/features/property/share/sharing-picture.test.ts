import { expect, test } from "vitest";
import { sharingPicture } from "./sharing-picture.ts";

const image = { file: "f", version: "19a", width: 4, height: 3, alt: "" };
const home = { ref: "AH-1", updatedAt: "2026-05-01T10:00:00Z", images: [image] };

test("the address changes with the home, its cover and the language", () => {
  const addresses = [
    sharingPicture("en", home),
    sharingPicture("es", home),
    sharingPicture("en", { ...home, updatedAt: "2026-05-01T10:00:01Z" }),
    sharingPicture("en", { ...home, images: [{ ...image, version: "19b" }] }),
    sharingPicture("en", { ...home, images: [] }),
  ];
  expect(new Set(addresses).size).toBe(addresses.length);
  for (const address of addresses) {
    expect(address).toMatch(/^\/share\/(en|es)\/AH-1\.jpg\?v=\w+-\w+$/);
  }
});
