import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { QueryService } from "./query-service.server.ts";

/** Makes one request to a query service whose first answer is `first`, and whose further answers are complete. */
async function asked(first: (response: ServerResponse) => void) {
  let calls = 0;
  const server = createServer((_, response) => {
    calls += 1;
    if (calls === 1) first(response);
    else response.end("whole");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    const service = new QueryService(`http://127.0.0.1:${port}`);
    const answer = await service.request({ method: "GET", path: "/" });
    return { status: answer.statusCode, text: answer.text, calls };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("a request whose answer breaks off is repeated", async () => {
  const breaksOff = (response: ServerResponse) => {
    response.writeHead(200, { "content-length": "5" });
    response.write("who", () => response.destroy());
  };
  expect(await asked(breaksOff)).toEqual({ status: 200, text: "whole", calls: 2 });
});

test("a request is repeated if the node can't answer, and not after a client error", async () => {
  const says = (status: number) => (response: ServerResponse) => {
    response.writeHead(status).end("no");
  };
  expect(await asked(says(503))).toEqual({ status: 200, text: "whole", calls: 2 });
  expect(await asked(says(404))).toEqual({ status: 404, text: "no", calls: 1 });
});
