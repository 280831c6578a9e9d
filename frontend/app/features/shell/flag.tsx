import type { Locale } from "#app/lib/i18n/locale.ts";

/** The flag beside a language's name. */
export function Flag({ locale }: { locale: Locale }) {
  return (
    <svg viewBox="0 0 24 16" aria-hidden="true" className="h-3 w-[1.125rem] rounded-xs">
      {locale === "es" ? (
        <>
          <path fill="#c60b1e" d="M0 0h24v16H0z" />
          <path fill="#ffc400" d="M0 4h24v8H0z" />
        </>
      ) : (
        <>
          <path fill="#012169" d="M0 0h24v16H0z" />
          <path stroke="#fff" strokeWidth="3.2" d="m0 0 24 16m0-16L0 16" />
          <path stroke="#c8102e" strokeWidth="1.4" d="m0 0 24 16m0-16L0 16" />
          <path stroke="#fff" strokeWidth="5.4" d="M12 0v16M0 8h24" />
          <path stroke="#c8102e" strokeWidth="3.2" d="M12 0v16M0 8h24" />
        </>
      )}
    </svg>
  );
}
