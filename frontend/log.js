// The renderer's log: plain lines, or JSON lines in the format of the other roles.
import { AsyncLocalStorage } from "node:async_hooks";
import process from "node:process";
import { format } from "node:util";

/** W3C Trace Context: the version and the trace id. */
const TRACEPARENT = /^00-([\da-f]{32})-/;

/** @type {AsyncLocalStorage<string | undefined>} */
const traces = new AsyncLocalStorage();

/**
 * Runs `answer` as part of the trace that `traceparent` names: log lines written during it carry its id.
 * @template T
 * @param {string | null} traceparent
 * @param {() => T} answer
 * @returns {T}
 */
export function inTrace(traceparent, answer) {
  return traces.run(TRACEPARENT.exec(traceparent ?? "")?.[1], answer);
}

/**
 * Formats a log call as a line of JSON.
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

/** Makes the console write JSON, for all callers: the router itself logs the errors of pages. */
export function logJson() {
  console.log = (...args) => process.stdout.write(jsonLine("INFO", args));
  console.warn = (...args) => process.stderr.write(jsonLine("WARN", args));
  console.error = (...args) => process.stderr.write(jsonLine("ERROR", args));
}
