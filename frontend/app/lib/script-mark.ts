import { createContext } from "react";

/**
 * What the scripts of one render are marked with, so that the policy can tell them from any other
 * that stands in the document. Only the server has one, and no document leaves it with one.
 */
export const ScriptMark = createContext<string | undefined>(undefined);
