import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { useNavigate } from "react-router";
import {
  type EnquiryAnswer,
  type EnquiryError,
  type EnquiryKind,
  thanksPath,
} from "#app/lib/enquiry/enquiry.ts";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import type { OpeningHours } from "#app/lib/site/opening-hours.ts";

/** How long typing has to pause before the input is validated. */
const DEBOUNCE_MS = 300;

export const NO_ERRORS: readonly EnquiryError[] = [];

/**
 * Validates and sends an enquiry form. Fields that were left, or that had an error, are validated while the visitor
 * types, and the complete form before it is sent. The code for that and for the thank-you page is loaded at the first
 * input, so that nothing typed is lost if the connection fails later. `reasons` returns why an enquiry was not sent,
 * for visitors who have left the form.
 */
export function useEnquirySubmission(
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
  /** The current error of each touched field, if any; `refused` holds those that stopped the last submission. */
  const [pending, setPending] = useState<Record<string, string | undefined>>({});
  const [refused, setRefused] = useState<readonly EnquiryError[]>();
  /** The fields that the visitor has left after typing, or that had an error. */
  const touched = useRef(new Set<string>());
  const debounce = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Whether the script that sends the form has failed to load once. */
  const loadFailed = useRef(false);

  const begin = async () => {
    if (isBegun) return;
    setBegun(true);
    void import("./remembered-sender.tsx").catch(() => undefined);
    void loadLeftForm();
    const filledForm = await loadFilledForm();
    if (filledForm) await client.query(filledForm.promisesQuery(locale)).catch(() => undefined);
  };
  const validate = async (form: HTMLFormElement) => {
    const filledForm = await loadFilledForm();
    const errors = filledForm?.check(kind, filledForm.filledIn(form), locale, hours) ?? NO_ERRORS;
    const detail = (name: string) => errors.find(({ field }) => field === name)?.detail;
    setPending(Object.fromEntries([...touched.current].map((name) => [name, detail(name)])));
  };
  const watch = (event: FormEvent<HTMLFormElement>) => {
    const form = event.currentTarget;
    const { name } = event.target as Partial<HTMLInputElement>;
    clearTimeout(debounce.current);
    if (event.type === "blur" && name && wasTyped(event.target as HTMLInputElement)) {
      touched.current.add(name);
    }
    debounce.current = setTimeout(validate, DEBOUNCE_MS, form);
  };
  const send = async (form: HTMLFormElement) => {
    if (isSending) return;
    clearTimeout(debounce.current);
    setSending(true);
    const filledForm = await loadFilledForm();
    if (!filledForm) {
      setSending(false);
      // Some browsers never request a failed module again: submit the form without JavaScript instead.
      if (loadFailed.current && navigator.onLine && !hasFiles(form)) return form.submit();
      loadFailed.current = true;
      setRefused(undefined);
      setAnswer({ failure: "away" });
      return;
    }
    const filled = filledForm.filledIn(form);
    const errors = filledForm.check(kind, filled, locale, hours);
    for (const { field } of errors) touched.current.add(field);
    setPending({});
    setRefused(errors.length > 0 ? errors : undefined);
    if (errors.length === 0) {
      const url = new URL(form.action);
      void loadLeftForm().then((leftForm) => leftForm?.hideNotice(url.href));
      const page = location.pathname;
      const result = await filledForm.sendForm(filled, url, locale, hours);
      // The visitor has left the page and is notified there. The path is checked too, because the form may still be
      // mounted for a moment.
      if (!form.isConnected || location.pathname !== page) {
        (await loadLeftForm())?.showNotice(result, locale, {
          address: url.href,
          reasons,
          goBack: () => navigate(url.pathname + url.search),
        });
      } else if ("reference" in result) {
        filledForm.rememberSender(filled);
        await navigate(localizedPath(locale, thanksPath(result.reference)));
      } else {
        setAnswer(result);
      }
    }
    setSending(false);
  };
  return { isBegun, isSending, answer, pending, refused, begin, watch, send };
}

/** Loads the code that validates and sends the form; undefined if it fails to load. */
const loadFilledForm = () => import("#app/lib/enquiry/filled-form.ts").catch(() => undefined);

/** Loads the notice for a form that was left while it was being sent; undefined if it fails to load. */
const loadLeftForm = () => import("./left-form.ts").catch(() => undefined);

/** Whether the form has files, which can't be sent without JavaScript. */
const hasFiles = (form: HTMLFormElement) =>
  [...new FormData(form).values()].some((value) => value instanceof File && value.size > 0);

/** Whether the visitor has typed into the field; an incomplete date has no value yet but is bad input. */
const wasTyped = ({ value, defaultValue, validity }: HTMLInputElement) =>
  value !== defaultValue || validity.badInput;
