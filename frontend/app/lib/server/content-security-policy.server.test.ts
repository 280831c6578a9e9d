import { expect, test } from "vitest";
import { EMBED_ORIGINS } from "#app/lib/property/embeds.ts";
import { contentSecurityPolicy } from "./content-security-policy.server.ts";

test("only our own scripts and those with a listed hash may run", () => {
  const policy = contentSecurityPolicy({ scriptHashes: ["abc=", "abc=", "def="] });
  expect(policy).toContain("script-src 'self' 'sha256-abc=' 'sha256-def=';");
  expect(policy).toContain("connect-src 'self';");
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
});

test("a configured third party is allowed, and nothing else", () => {
  const analytics = { script: "https://count.example", report: "https://report.example" };
  const policy = contentSecurityPolicy({ scriptHashes: [], analytics });
  expect(policy).toContain("script-src 'self' https://count.example;");
  expect(policy).toContain("connect-src 'self' https://report.example;");
  expect(policy.match(/https:/g)).toHaveLength(2 + EMBED_ORIGINS.length);
});

test("frames may load only the services of videos and tours", () => {
  const policy = contentSecurityPolicy({ scriptHashes: [] });
  expect(policy).toContain(
    "frame-src https://www.youtube-nocookie.com https://player.vimeo.com https://my.matterport.com;",
  );
});
