import { expect, test } from "vitest";
import { EMBED_ORIGINS } from "#app/lib/property/embeds.ts";
import { contentSecurityPolicy } from "./content-security-policy.server.ts";

test("no script runs but our own and those that are named", () => {
  const policy = contentSecurityPolicy({ scriptHashes: ["abc=", "abc=", "def="] });
  expect(policy).toContain("script-src 'self' 'sha256-abc=' 'sha256-def=';");
  expect(policy).toContain("connect-src 'self';");
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
});

test("a configured third party is named, and nothing besides it", () => {
  const analytics = { script: "https://count.example", report: "https://report.example" };
  const policy = contentSecurityPolicy({ scriptHashes: [], analytics });
  expect(policy).toContain("script-src 'self' https://count.example;");
  expect(policy).toContain("connect-src 'self' https://report.example;");
  expect(policy.match(/https:/g)).toHaveLength(2 + EMBED_ORIGINS.length);
});

test("frames show the services of videos and tours, and nobody else", () => {
  const policy = contentSecurityPolicy({ scriptHashes: [] });
  expect(policy).toContain(
    "frame-src https://www.youtube-nocookie.com https://player.vimeo.com https://my.matterport.com;",
  );
});
