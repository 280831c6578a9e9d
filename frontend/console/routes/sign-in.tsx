import { focusManager } from "@tanstack/react-query";
import { useEffect } from "react";
import { useRevalidator, useSearchParams } from "react-router";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { AlmijaraLogo } from "#app/ui/logo.tsx";
import { ThemeChoice } from "#app/ui/theme-choice.tsx";
import { LanguageChoice } from "#console/features/shell/account-panel.tsx";
import { signInMessages } from "#console/features/sign-in/messages.ts";
import { SignInForm } from "#console/features/sign-in/sign-in-form.tsx";
import { hasEnded } from "#console/lib/sign-in-path.ts";
import { Page } from "#console/ui/page.tsx";

export function Component() {
  const t = useMessages(signInMessages);
  const [search] = useSearchParams();
  const { revalidate } = useRevalidator();
  useEffect(
    () =>
      // The operator may have signed in on another page meanwhile.
      focusManager.subscribe((isFocused) => {
        if (isFocused) void revalidate();
      }),
    [revalidate],
  );
  return (
    <main className="page-width flex flex-1 flex-col items-center py-10 sm:justify-center">
      <div className="w-full max-w-md">
        <div className="mb-10">
          <AlmijaraLogo width={130} />
        </div>
        <Page title={t.title} lead={t.lead}>
          {hasEnded(search) ? (
            <p className="mt-5 rounded-card bg-sun-wash px-5 py-3 text-sm">{t.ended}</p>
          ) : null}
          <SignInForm />
        </Page>
        <div className="mt-10 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-5">
          <LanguageChoice />
          <ThemeChoice />
        </div>
      </div>
    </main>
  );
}
