import type { ReactNode } from "react";
import type { SiteSettings } from "#app/lib/api/types.ts";
import { PHONE_PAGE, Picture, WIDE_WIDTHS } from "#app/ui/picture.tsx";

/** The top of the home page: tagline, description, search, and a picture in an arch. */
export function Hero({ settings, children }: { settings: SiteSettings; children: ReactNode }) {
  return (
    <div className="relative overflow-x-clip">
      <div className="page-width grid gap-10 pt-8 lg:grid-cols-[1.15fr_1fr] lg:items-center lg:gap-4 lg:pt-10">
        <div className="relative z-10 lg:py-10">
          <h1 className="max-w-[15ch] text-hero tracking-[-0.015em]">{settings.tagline}</h1>
          <p className="mt-5 max-w-[42ch] text-lg text-muted">{settings.description}</p>
          <div className="mt-8 max-w-2xl lg:mt-10 lg:-mr-24">{children}</div>
        </div>
        {settings.hero ? (
          <div className="relative lg:ml-auto lg:w-[min(100%,30rem)]">
            <span
              aria-hidden="true"
              className="absolute -top-3 -left-4 size-28 rounded-full bg-sun sm:top-[calc(20%-4rem)] sm:left-[calc(12.5%-4rem)] sm:size-32 lg:-top-2 lg:-left-12 lg:size-40"
            />
            <div className="arch relative aspect-4/3 bg-sunk sm:aspect-2/1 lg:aspect-4/5">
              <Picture
                picture={settings.hero}
                eager
                widths={WIDE_WIDTHS}
                sizes={`(min-width: 64rem) 75rem, ${PHONE_PAGE}`}
                className="size-full object-cover"
              />
            </div>
          </div>
        ) : null}
      </div>
    </div>
  );
}
