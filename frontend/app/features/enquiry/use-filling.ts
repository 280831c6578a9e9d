import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { useNavigate } from "react-router";
import {
  type EnquiryAnswer,
  type EnquiryError,
  type EnquiryKind,
  thanksPath,
} from "#app/lib/enquiry/enquiry.ts";
import { noteSending } from "#app/lib/enquiry/sender.ts";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import type { OpeningHours } from "#app/lib/site/opening-hours.ts";

/** How long typing has to rest before what was typed is looked at. */
const REST_MS = 300;

export const NONE: readonly EnquiryError[] = [];

/**
 * What becomes of a form that is filled in: it is looked through by the rules, at a field that was left or
 * that was wrong, and all of it before it is sent. What does so is loaded when the filling begins, and so is
 * what the visitor is thanked with: whatever becomes of the line then, what was written stays. `reasons` says
 * why one was not sent, for who has left the form.
 */
export function useFilling(
  kind: EnquiryKind,
  hours: OpeningHours,
  reasons: (answer: EnquiryAnswer) => readonly string[],
) {
  const locale = useLocale();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isBegun, setBegun] = useState(false);
  const [isSending, setSending] = useState(false);
  const [answer, setAnswer] = useState<EnquiryAnswer>();
  const [pending, setPending] = useState<Record<string, string | undefined>>({});
  const [refused, setRefused] = useState<readonly EnquiryError[]>();
  const left = useRef(new Set<string>());
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Whether the script that sends it could not be had before. */
  const missed = useRef(false);

  const begin = async () => {
    if (isBegun) return;
    setBegun(true);
    void import("./remembered-sender.tsx").catch(() => undefined);
    void loadLeftForm();
    const filledForm = await loadFilledForm();
    if (filledForm) await client.query(filledForm.promisesQuery(locale)).catch(() => undefined);
  };
  const look = async (form: HTMLFormElement) => {
    const filledForm = await loadFilledForm();
    const errors = filledForm?.check(kind, filledForm.filledIn(form), locale, hours) ?? NONE;
    const detail = (name: string) => errors.find(({ field }) => field === name)?.detail;
    setPending(Object.fromEntries([...left.current].map((name) => [name, detail(name)])));
  };
  const watch = (event: FormEvent<HTMLFormElement>) => {
    const form = event.currentTarget;
    const { name } = event.target as Partial<HTMLInputElement>;
    clearTimeout(rest.current);
    if (event.type === "blur" && name && wasTyped(event.target as HTMLInputElement)) {
      left.current.add(name);
    }
    rest.current = setTimeout(look, REST_MS, form);
  };
  const send = async (form: HTMLFormElement) => {
    if (isSending) return;
    clearTimeout(rest.current);
    setSending(true);
    const filledForm = await loadFilledForm();
    if (!filledForm) {
      setSending(false);
      // Some browsers never ask again for a script that was lost: the page is sent as it is without one.
      if (missed.current && navigator.onLine && !holdsFiles(form)) return form.submit();
      missed.current = true;
      setRefused(undefined);
      setAnswer({ failure: "away" });
      return;
    }
    const filled = filledForm.filledIn(form);
    const errors = filledForm.check(kind, filled, locale, hours);
    for (const { field } of errors) left.current.add(field);
    setPending({});
    setRefused(errors.length > 0 ? errors : undefined);
    if (errors.length === 0) {
      const url = new URL(form.action);
      void loadLeftForm().then((leftForm) => leftForm?.forgetLeft(url.href));
      const page = location.pathname;
      const result = await filledForm.sendForm(filled, url, locale, hours);
      // The visitor has gone on meanwhile, and is told there: the form may be drawn for a moment more.
      if (!form.isConnected || location.pathname !== page) {
        (await loadLeftForm())?.tellOfLeft(result, locale, {
          address: url.href,
          reasons,
          goBack: () => navigate(url.pathname + url.search),
        });
      } else if ("reference" in result) {
        noteSending(filled);
        await navigate(localizedPath(locale, thanksPath(result.reference)));
      } else {
        setAnswer(result);
      }
    }
    setSending(false);
  };
  return { isBegun, isSending, answer, pending, refused, begin, watch, send };
}

/** Nothing where it can't be had. */
const loadFilledForm = () => import("#app/lib/enquiry/filled-form.ts").catch(() => undefined);

/** What tells of a form that was left while it was sent; nothing where it can't be had. */
const loadLeftForm = () => import("./left-form.ts").catch(() => undefined);

/** Without a script no files are sent. */
const holdsFiles = (form: HTMLFormElement) =>
  [...new FormData(form).values()].some((value) => value instanceof File && value.size > 0);

/** A date that is half typed is no value yet. */
const wasTyped = ({ value, defaultValue, validity }: HTMLInputElement) =>
  value !== defaultValue || validity.badInput;
