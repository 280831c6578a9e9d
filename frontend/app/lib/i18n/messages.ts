import { formatNumber } from "#app/lib/format/format.ts";
import { type Locale, useLocale } from "./locale.ts";

type Message = string | ((...values: never[]) => string);

/** The same messages in another language: the same keys, and functions with the same parameters. */
type Parallel<T> = {
  [Key in keyof T]: T[Key] extends (...values: infer Values) => string
    ? (...values: Values) => string
    : string;
};

export interface Messages<T> {
  readonly en: T;
  readonly es: Parallel<T>;
}

/** Defines the messages of a feature in both languages. The type rejects a language that lacks one. */
export function defineMessages<T extends Record<string, Message>>(messages: {
  en: T;
  es: Parallel<NoInfer<T>>;
}): Messages<T> {
  return messages;
}

export function messagesFor<T>(messages: Messages<T>, locale: Locale): Parallel<T> {
  return messages[locale] as Parallel<T>;
}

/** Returns the messages in the language of the current page. */
export function useMessages<T>(messages: Messages<T>): Parallel<T> {
  return messagesFor(messages, useLocale());
}

/**
 * Chooses the singular or the plural: `1 home`, `2 homes`. Both languages have only these two forms, and use
 * the plural for zero.
 */
export function plural(count: number, one: string, other: string): string {
  return count === 1 ? one : other;
}

/** Formats a count with its noun: `1 home`, `12,500 homes`. */
export function counted(locale: Locale, count: number, one: string, other: string): string {
  return `${formatNumber(locale, count)} ${plural(count, one, other)}`;
}
