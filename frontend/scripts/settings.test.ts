import { expect, test } from "vitest";
import { readSettings, readStagingApis } from "../settings.js";

test("what is not said has a default", () => {
  const { settings, wrong } = readSettings({}, 4);
  expect(wrong).toEqual([]);
  expect(settings).toEqual({ host: "127.0.0.1", port: 3000, renderers: 4 });
});

test("what is wrong is named", () => {
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

test("development APIs have names, and nothing else is one", () => {
  const { apis, wrong } = readStagingApis("next=http://10.0.0.7:8081, dev=https://api.example/");
  expect(wrong).toEqual([]);
  expect(apis).toEqual({ next: "http://10.0.0.7:8081", dev: "https://api.example" });
  for (const odd of ["=http://a", "a b=http://a", "next=ftp://a", "next=http://u:p@a", "next=a"]) {
    expect(readStagingApis(odd).wrong, odd).toHaveLength(1);
  }
  expect(readStagingApis(undefined)).toEqual({ apis: {}, wrong: [] });
});
