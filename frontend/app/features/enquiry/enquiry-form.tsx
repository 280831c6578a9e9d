import { Fragment, type ReactNode, useId } from "react";
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
import { NONE, useFilling } from "./use-filling.ts";

/** Only the browser knows who uses it. */
const KnownSender = lazy(() => import("./known-sender.tsx"));

const ABOUT = {
  name: { autoComplete: "name", maxLength: 100 },
  firstName: { autoComplete: "given-name", maxLength: 100 },
  lastName: { autoComplete: "family-name", maxLength: 100 },
  email: { type: "email", maxLength: 200 },
  phone: { type: "tel", maxLength: 40 },
  mobile: { type: "tel", maxLength: 40 },
} as const;

interface EnquiryFormProps {
  kind: EnquiryKind;
  /** The home that it is about. */
  reference?: string | undefined;
  /** What stands in the message to begin with. */
  message?: string | undefined;
  /** What became of it, where the page was made anew with it. */
  answer?: EnquiryAnswer | undefined;
  /** Fields that this kind alone has. */
  own?: OwnFields | undefined;
  /** Whether something beside it is asked for first, so that its button stands back. */
  second?: boolean | undefined;
}

/** The fields of one kind, and what a form says of them. */
export interface OwnFields {
  labels: Readonly<Record<string, string>>;
  /** Those that it can't do without. */
  needed: readonly EnquiryField[];
  /** Shows one; `part` gives what it holds besides, by the names of its own. */
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
 * The form of an enquiry. Without a script it is sent to the page of that kind, which comes with what is
 * wrong; with one, this page sends it, stays and says so.
 */
export function EnquiryForm({
  kind,
  reference,
  message,
  answer: given,
  own,
  second = false,
}: EnquiryFormProps) {
  const locale = useLocale();
  const t = useMessages(enquiryFormMessages);
  const labels: Readonly<Record<string, unknown>> = own ? { ...t, ...own.labels } : t;
  const { settings } = useSite();
  const id = useId();
  const inWords = ({ field, detail }: EnquiryError) =>
    typeof labels[field] === "string" ? `${labels[field]}: ${detail}` : detail;
  const filling = useFilling(kind, settings.openingHours, (answer) =>
    "errors" in answer
      ? answer.errors.map(inWords)
      : [t[answer.failure], settings.phones.join(", ")],
  );
  const { isSending, pending, refused, watch } = filling;
  const answer = isSending ? undefined : (filling.answer ?? given);
  const sent = answer && "errors" in answer ? answer.errors : NONE;
  const errors = refused ?? sent;
  const values = given?.values ?? {};
  const idOf = (field: string) => `${id}-${field}`;
  const needed = new Set<string>(
    kind === "general"
      ? ["firstName", "message"]
      : kind === "property"
        ? ["name", "message"]
        : ["name"],
  );
  if (kind === "callback") needed.add("phone");
  for (const name of own?.needed ?? []) needed.add(name);
  const field = (name: string): EnquiryFieldProps => ({
    id: idOf(name),
    name,
    label: String(labels[name]),
    required: needed.has(name),
    // What the browser refused it takes back itself; what the service did stays until it is asked again.
    error:
      pending[name] ??
      (refused && name in pending ? undefined : errors.find((it) => it.field === name)?.detail),
    defaultValue: values[name] ?? (name === "message" ? message : undefined),
  });
  const inSummary = (error: EnquiryError): FormError => ({
    field: typeof labels[error.field] === "string" ? idOf(error.field) : undefined,
    message: inWords(error),
  });
  const begin = (form: HTMLFormElement) => {
    nameEnquiry(form, `${kind} ${reference ?? ""}`);
    void filling.begin();
  };
  return (
    // Files are taken by the script alone: a form without it is a little text.
    <form
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
        noteTimeOpen(event.currentTarget);
        void filling.send(event.currentTarget);
      }}
    >
      {filling.isBegun ? <PrefetchPageLinks page={localizedPath(locale, thanksPath())} /> : null}
      <ErrorSummary of={errors} errors={errors.map(inSummary)} />
      <RequiredNote />
      {FIELDS[kind].map((name) => {
        if (name === "message") {
          return <TextArea key={name} rows={kind === "general" ? 6 : 4} {...field(name)} />;
        }
        if (!isCommon(name))
          return <Fragment key={name}>{own?.draw(name, field(name), field)}</Fragment>;
        const hint = name === "email" ? t.contactHint : undefined;
        return <TextField key={name} hint={hint} {...ABOUT[name]} {...field(name)} />;
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
          <KnownSender onFilled={begin} />
        </AfterHydration>
      </div>
    </form>
  );
}

const isCommon = (name: EnquiryField): name is keyof typeof ABOUT => Object.hasOwn(ABOUT, name);

/**
 * Notes for how many seconds the page has been open, since who comes back to what they wrote sends it at once. A
 * browser fills a form in at a stroke, so typing tells nothing, and the time of day may be wrong here.
 */
function noteTimeOpen(form: HTMLFormElement): void {
  const field = form.elements.namedItem("openedFor");
  const seconds = Math.floor(performance.now() / 1_000);
  if (field instanceof HTMLInputElement) field.value = String(seconds);
}

/** Names the enquiry, so that it is kept once however often it is sent. */
function nameEnquiry(form: HTMLFormElement, name: string): void {
  const key = form.elements.namedItem("key");
  if (!(key instanceof HTMLInputElement) || key.value) return;
  const known = `enquiry ${name}`;
  // Without a memory of the tab, a reload begins another enquiry.
  key.value = read(known, "sessionStorage") ?? crypto.randomUUID();
  write(known, key.value, "sessionStorage");
}
