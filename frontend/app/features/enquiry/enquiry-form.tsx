import { Fragment, type ReactNode, useId, useRef } from "react";
import { PrefetchPageLinks } from "react-router";
import { AfterHydration } from "#app/lib/browser/after-hydration.tsx";
import { read, write } from "#app/lib/browser/stored.ts";
import {
  type EnquiryAnswer,
  type EnquiryError,
  type EnquiryField,
  type EnquiryKind,
  enquiryPath,
  FIELDS,
  thanksPath,
} from "#app/lib/enquiry/enquiry.ts";
import { LENGTHS, REQUIRED } from "#app/lib/enquiry/rules.gen.ts";
import { telephoneHref } from "#app/lib/format/format.ts";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { lazy } from "#app/lib/release/lazy.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/checkbox.tsx";
import { ErrorSummary, type FormError } from "#app/ui/error-summary.tsx";
import { RequiredNote } from "#app/ui/field.tsx";
import { Link } from "#app/ui/link.tsx";
import { TextArea, TextField } from "#app/ui/text-field.tsx";
import { enquiryFormMessages } from "./form-messages.ts";
import { NO_ERRORS, useEnquirySubmission } from "./use-enquiry-submission.ts";

/** Lazy: the sender's details are known only in the browser. */
const KnownSender = lazy(() => import("./known-sender.tsx"));

/** The attributes of the sender's fields, which several kinds of enquiry share. */
const COMMON_FIELDS = {
  name: { autoComplete: "name" },
  firstName: { autoComplete: "given-name" },
  lastName: { autoComplete: "family-name" },
  email: { type: "email" },
  phone: { type: "tel" },
  mobile: { type: "tel" },
} as const;

interface EnquiryFormProps {
  kind: EnquiryKind;
  /** The reference of the home that the enquiry is about. */
  reference?: string | undefined;
  /** The initial text of the message. */
  message?: string | undefined;
  /** The result of a submission without JavaScript, for which the server rendered the page again. */
  answer?: EnquiryAnswer | undefined;
  /** The fields that only this kind has. */
  own?: KindFields | undefined;
  /** Whether another action beside the form is the primary one, so that the form's button is secondary. */
  second?: boolean | undefined;
}

/** The fields that only one kind of enquiry has. */
export interface KindFields {
  labels: Readonly<Record<string, string>>;
  /** Renders a field; `part` returns the props of the inputs inside a composite field, by their names. */
  draw: (
    name: EnquiryField,
    field: EnquiryFieldProps,
    part: (name: string) => EnquiryFieldProps,
  ) => ReactNode;
}

export interface EnquiryFieldProps {
  id: string;
  name: string;
  label: string;
  required: boolean;
  error: string | undefined;
  defaultValue: string | undefined;
}

/**
 * The form of an enquiry. Without JavaScript it is submitted to the enquiry page, which shows the errors. With it,
 * the current page sends the form, stays open and shows the result.
 */
export function EnquiryForm({
  kind,
  reference,
  message,
  answer: serverAnswer,
  own,
  second = false,
}: EnquiryFormProps) {
  const locale = useLocale();
  const t = useMessages(enquiryFormMessages);
  const labels: Readonly<Record<string, unknown>> = own ? { ...t, ...own.labels } : t;
  const { settings } = useSite();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const errorText = ({ field, detail }: EnquiryError) =>
    typeof labels[field] === "string" ? `${labels[field]}: ${detail}` : detail;
  const submission = useEnquirySubmission(kind, settings.openingHours, (answer) =>
    "errors" in answer
      ? answer.errors.map(errorText)
      : [t[answer.failure], settings.phones.join(", ")],
  );
  const { isSending, pending, refused, watch } = submission;
  const answer = isSending ? undefined : (submission.answer ?? serverAnswer);
  const answerErrors = answer && "errors" in answer ? answer.errors : NO_ERRORS;
  const errors = refused ?? answerErrors;
  const values = serverAnswer?.values ?? {};
  const idOf = (field: string) => `${id}-${field}`;
  const needed = new Set<string>(REQUIRED[kind]);
  if (kind === "general") needed.add("firstName");
  if (kind === "callback") needed.add("phone");
  const field = (name: string): EnquiryFieldProps => ({
    id: idOf(name),
    name,
    label: String(labels[name]),
    required: needed.has(name),
    // Errors found in the browser disappear once corrected; errors from the service stay until the next submission.
    error:
      pending[name] ??
      (refused && name in pending ? undefined : errors.find((it) => it.field === name)?.detail),
    defaultValue: values[name] ?? (name === "message" ? message : undefined),
  });
  const summaryError = (error: EnquiryError): FormError => ({
    field: typeof labels[error.field] === "string" ? idOf(error.field) : undefined,
    message: errorText(error),
  });
  const begin = (form: HTMLFormElement) => {
    assignEnquiryKey(form, `${kind} ${reference ?? ""}`);
    void submission.begin();
  };
  return (
    // No multipart encoding: files can only be chosen and sent with JavaScript.
    <form
      ref={form}
      method="post"
      action={localizedPath(locale, enquiryPath(kind, reference))}
      noValidate
      className="grid gap-4"
      onInput={(event) => {
        begin(event.currentTarget);
        watch(event);
      }}
      onBlur={watch}
      onSubmit={(event) => {
        event.preventDefault();
        begin(event.currentTarget);
        recordTimeOpen(event.currentTarget);
        void submission.send(event.currentTarget);
      }}
    >
      {submission.isBegun ? <PrefetchPageLinks page={localizedPath(locale, thanksPath())} /> : null}
      <ErrorSummary of={errors} errors={errors.map(summaryError)} />
      <RequiredNote />
      {FIELDS[kind].map((name) => {
        if (name === "message") {
          return <TextArea key={name} rows={kind === "general" ? 6 : 4} {...field(name)} />;
        }
        if (!isCommon(name))
          return <Fragment key={name}>{own?.draw(name, field(name), field)}</Fragment>;
        const hint = name === "email" ? t.contactHint : undefined;
        return (
          <TextField
            key={name}
            hint={hint}
            maxLength={LENGTHS[name].max}
            {...COMMON_FIELDS[name]}
            {...field(name)}
          />
        );
      })}
      <p aria-hidden="true" className="absolute -left-[200vw]">
        <label>
          Website
          <input name="website" tabIndex={-1} autoComplete="off" />
        </label>
      </p>
      <input type="hidden" name="key" />
      <input type="hidden" name="openedFor" />
      {kind === "valuation" ? null : (
        <Checkbox
          name="marketingConsent"
          value="yes"
          label={t.marketing}
          defaultChecked={values.marketingConsent === "yes"}
          className="text-sm"
        />
      )}
      <p className="text-sm text-muted">
        {t.privacy(settings.companyName)}{" "}
        <Link to="/privacy" className="text-link">
          {t.privacyLink}
        </Link>
      </p>
      {answer && "failure" in answer ? (
        <p role="alert" className="notice">
          {t[answer.failure]}
          {settings.phones.map((phone) => (
            <Fragment key={phone}>
              {" "}
              <a href={telephoneHref(phone)} className="text-link whitespace-nowrap">
                {phone}
              </a>
            </Fragment>
          ))}
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          look={second ? "outline" : "primary"}
          busy={isSending}
          className="grow"
        >
          {isSending ? t.sending : t.send}
        </Button>
        <AfterHydration>
          <KnownSender form={form} onFilled={begin} />
        </AfterHydration>
      </div>
    </form>
  );
}

const isCommon = (name: EnquiryField): name is keyof typeof COMMON_FIELDS =>
  Object.hasOwn(COMMON_FIELDS, name);

/**
 * Records for how many seconds the page has been open, a sign of whether a program sent the form. The time since the
 * form appeared or the first input would not do: a visitor who returns to a draft sends it at once, and browsers fill
 * in forms at once. Uses a monotonic clock, because the device's time of day may be wrong.
 */
function recordTimeOpen(form: HTMLFormElement): void {
  const field = form.elements.namedItem("openedFor");
  const seconds = Math.floor(performance.now() / 1_000);
  if (field instanceof HTMLInputElement) field.value = String(seconds);
}

/** Sets the enquiry's idempotency key, so that it is stored once however often it is sent. */
function assignEnquiryKey(form: HTMLFormElement, name: string): void {
  const key = form.elements.namedItem("key");
  if (!(key instanceof HTMLInputElement) || key.value) return;
  const storageKey = `enquiry ${name}`;
  // Without session storage, a reload starts a new enquiry.
  key.value = read(storageKey, "sessionStorage") ?? crypto.randomUUID();
  write(storageKey, key.value, "sessionStorage");
}
