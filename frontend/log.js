// What the renderer says of itself: lines for people, or a line of JSON each, as the other roles have it.
import { AsyncLocalStorage } from "node:async_hooks";
import process from "node:process";
import { format } from "node:util";

/** W3C Trace Context: the version, and which trace it is. */
const TRACEPARENT = /^00-([\da-f]{32})-/;

/** @type {AsyncLocalStorage<string | undefined>} */
const traces = new AsyncLocalStorage();

/**
 * Runs `answer`, which is part of the trace that `traceparent` names: what is said meanwhile names it.
 * @template T
 * @param {string | null} traceparent
 * @param {() => T} answer
 * @returns {T}
 */
export function inTrace(traceparent, answer) {
  return traces.run(TRACEPARENT.exec(traceparent ?? "")?.[1], answer);
}

/**
 * What was said, as a line of JSON.
 * @param {"INFO" | "WARN" | "ERROR"} level
 * @param {unknown[]} args
 */
export function jsonLine(level, args) {
  const line = {
    timestamp: new Date().toISOString(),
    level,
    message: format(...args),
    trace_id: traces.getStore(),
  };
  return `${JSON.stringify(line)}\n`;
}

/** Has the console write JSON, whoever speaks there: the router says itself what a page failed of. */
export function speakJson() {
  console.log = (...args) => process.stdout.write(jsonLine("INFO", args));
  console.warn = (...args) => process.stderr.write(jsonLine("WARN", args));
  console.error = (...args) => process.stderr.write(jsonLine("ERROR", args));
}
