import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { ErrorSummary, type FormError } from "#app/ui/error-summary.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { sendJson } from "#console/lib/api/call.ts";
import { isSignedOut } from "#console/lib/api/call-error.ts";
import { SESSION, sessionQuery } from "#console/lib/api/queries.ts";
import type { Session } from "#console/lib/api/types.ts";
import { pathAfterSignIn } from "#console/lib/sign-in-path.ts";
import { Failure } from "#console/ui/failure.tsx";
import { type Credentials, credentialsOf, invalidFields } from "./credentials.ts";
import { signInMessages } from "./messages.ts";

const NO_ERRORS: readonly FormError[] = [];

/** Asks for name, password and code, and then opens the page that the operator wanted. */
export function SignInForm() {
  const t = useMessages(signInMessages);
  const locale = useLocale();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const [errors, setErrors] = useState(NO_ERRORS);
  const signIn = useMutation({
    mutationFn: (credentials: Credentials) => sendJson<Session>(SESSION, credentials),
    meta: { signsIn: true },
    onSuccess: async (session) => {
      client.clear();
      client.setQueryData(sessionQuery.queryKey, session);
      await navigate(pathAfterSignIn(search, localizedPath(locale, "/")), { replace: true });
    },
    onError: () => {
      // A code works once, and the service does not say which field was wrong: the code has to be retyped.
      const code = form.current?.elements.namedItem("code");
      if (code instanceof HTMLInputElement) {
        code.value = "";
        code.focus();
      }
    },
  });
  const words = { name: t.needName, password: t.needPassword, code: t.needCode };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (signIn.isPending) return;
    const credentials = credentialsOf(new FormData(event.currentTarget));
    const missing = invalidFields(credentials);
    setErrors(missing.map((field) => ({ field: `${id}-${field}`, message: words[field] })));
    if (missing.length === 0) signIn.mutate(credentials);
  };
  const errorOf = (field: keyof Credentials) =>
    errors.find((error) => error.field === `${id}-${field}`)?.message;
  return (
    <form ref={form} noValidate onSubmit={submit} className="mt-7 grid gap-5">
      <ErrorSummary errors={errors} />
      {isSignedOut(signIn.error) ? (
        <p role="alert" className="rounded-card border border-clay bg-surface p-4 font-medium">
          {t.wrong}
        </p>
      ) : (
        <Failure error={signIn.error} />
      )}
      <TextField
        id={`${id}-name`}
        name="name"
        label={t.name}
        required
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        error={errorOf("name")}
      />
      <TextField
        id={`${id}-password`}
        name="password"
        type="password"
        label={t.password}
        required
        maxLength={500}
        error={errorOf("password")}
      />
      <TextField
        id={`${id}-code`}
        name="code"
        label={t.code}
        hint={t.codeHint}
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        error={errorOf("code")}
      />
      <Button type="submit" busy={signIn.isPending} className="justify-self-start">
        {t.signIn}
      </Button>
    </form>
  );
}
