import { expect, test } from "vitest";
import { readSettings } from "../settings.js";

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
    },
    4,
  );
  expect(wrong).toEqual([
    'QUERY_URL has to be an address such as http://host:port, and is "localhost:8081"',
    'COMMAND_URL has to be an address such as http://host:port, and is ""',
    "PUBLIC_URL may hold no user and no password",
    'PORT has to be a number from 0 to 65535, and is "65536"',
    'RENDERERS has to be a number from 1 to 64, and is "many"',
  ]);
});
