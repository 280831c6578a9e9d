import { createContext } from "react";

/**
 * The mark of the scripts of one render, by which the content security policy tells them from any other
 * script in the document. Only the server has a mark, and it is removed from the document before it is sent.
 */
export const ScriptMark = createContext<string | undefined>(undefined);
