import { expect, test } from "vitest";
import { parkedMessages } from "./messages.ts";

test("the message after a replay counts what was applied, not what was chosen", () => {
  const { en, es } = parkedMessages;
  const textsOf = ([count, chosen]: [number, number]) => [
    en.replayed(count, chosen),
    es.replayed(count, chosen),
  ];
  const pairs: [count: number, chosen: number][] = [
    [0, 3],
    [1, 1],
    [1, 3],
    [2, 3],
    [2, 2],
  ];
  expect(pairs.map(textsOf)).toEqual([
    ["No message was applied.", "No se aplicó ningún mensaje."],
    ["One message was applied.", "Se aplicó un mensaje."],
    ["One message was applied, 2 were not.", "Se aplicó un mensaje, y 2 no."],
    ["2 messages were applied, one was not.", "Se aplicaron 2 mensajes, y uno no."],
    ["2 messages were applied.", "Se aplicaron 2 mensajes."],
  ]);
});
