import { expect, test } from "vitest";
import { shellMessages } from "./messages.ts";
import { countsByPart } from "./parts.ts";

test("items that need an operator are counted by the part that shows them", () => {
  const queue = (name: string, depth: number) => ({ name, depth, oldestSeconds: null });
  const queues = [queue("parked", 2), queue("dead letters", 3), queue("outbox", 9)];
  expect(countsByPart(queues)).toEqual({ parked: 5, deliveries: 0 });
});

test("the count's message has a singular and a plural", () => {
  const { en, es } = shellMessages;
  expect([1, 2].map(en.needSomebody)).toEqual(["needs attention", "need attention"]);
  expect([1, 2].map(es.needSomebody)).toEqual(["espera a alguien", "esperan a alguien"]);
});
