import { expect, test } from "vitest";
import { readSettings, readStagingApis } from "../settings.js";

test("a missing setting has a default", () => {
  const { settings, wrong } = readSettings({}, 4);
  expect(wrong).toEqual([]);
  expect(settings).toEqual({ host: "127.0.0.1", port: 3000, renderers: 4 });
});

test("invalid settings are named", () => {
  const { wrong } = readSettings(
    {
      PORT: "65536",
      RENDERERS: "many",
      QUERY_URL: "localhost:8081",
      COMMAND_URL: "",
      PUBLIC_URL: "https://user:word@www.example.com",
      STAGING_APIS: "next",
    },
    4,
  );
  expect(wrong).toEqual([
    'QUERY_URL has to be an address such as http://host:port, and is "localhost:8081"',
    'COMMAND_URL has to be an address such as http://host:port, and is ""',
    "PUBLIC_URL may hold no user and no password",
    'STAGING_APIS has to be name=http://host:port, separated by commas, and has "next"',
    'PORT has to be a number from 0 to 65535, and is "65536"',
    'RENDERERS has to be a number from 1 to 64, and is "many"',
  ]);
});

test("visits are counted only with a valid address and its token", () => {
  const wrong = (environment: Record<string, string>) => readSettings(environment, 1).wrong;
  const [src, token] = ["https://count.example/script.js", "t"];
  expect(wrong({ ANALYTICS_SRC: src, ANALYTICS_TOKEN: token })).toEqual([]);
  expect(wrong({ ANALYTICS_SRC: "", ANALYTICS_TOKEN: "" })).toEqual([]);
  expect(wrong({ ANALYTICS_TOKEN: token })).toEqual([]);
  expect(wrong({ ANALYTICS_SRC: src })).toEqual(["ANALYTICS_SRC needs ANALYTICS_TOKEN"]);
  expect(wrong({ ANALYTICS_SRC: "count.example", ANALYTICS_TOKEN: token })).toEqual([
    'ANALYTICS_SRC has to be an address such as https://host/path, and is "count.example"',
  ]);
  expect(
    wrong({ ANALYTICS_SRC: src, ANALYTICS_TOKEN: token, ANALYTICS_REPORTS_TO: "count.example" }),
  ).toHaveLength(1);
});

test("development APIs have names and addresses, and anything else is rejected", () => {
  const { apis, wrong } = readStagingApis("next=http://10.0.0.7:8081, dev=https://api.example/");
  expect(wrong).toEqual([]);
  expect(apis).toEqual({ next: "http://10.0.0.7:8081", dev: "https://api.example" });
  for (const odd of ["=http://a", "a b=http://a", "next=ftp://a", "next=http://u:p@a", "next=a"]) {
    expect(readStagingApis(odd).wrong, odd).toHaveLength(1);
  }
  expect(readStagingApis(undefined)).toEqual({ apis: {}, wrong: [] });
});
