import { formatNumber } from "#app/lib/format/format.ts";
import { type Locale, useLocale } from "./locale.ts";

type Message = string | ((...values: never[]) => string);

/** The same words for another language: the same names, and functions of the same values. */
type Parallel<T> = {
  [Key in keyof T]: T[Key] extends (...values: infer Values) => string
    ? (...values: Values) => string
    : string;
};

export interface Messages<T> {
  readonly en: T;
  readonly es: Parallel<T>;
}

/** Words of one feature in both languages; the type refuses a language that lacks one. */
export function defineMessages<T extends Record<string, Message>>(messages: {
  en: T;
  es: Parallel<NoInfer<T>>;
}): Messages<T> {
  return messages;
}

export function messagesFor<T>(messages: Messages<T>, locale: Locale): Parallel<T> {
  return messages[locale] as Parallel<T>;
}

/** The words in the language of the page that is shown. */
export function useMessages<T>(messages: Messages<T>): Parallel<T> {
  return messagesFor(messages, useLocale());
}

/** `1 home`, `2 homes`: both languages have but these two, and both say "0 homes". */
export function plural(count: number, one: string, other: string): string {
  return count === 1 ? one : other;
}

/** `1 home`, `12,500 homes`: a figure of a text, with what it counts. */
export function counted(locale: Locale, count: number, one: string, other: string): string {
  return `${formatNumber(locale, count)} ${plural(count, one, other)}`;
}
