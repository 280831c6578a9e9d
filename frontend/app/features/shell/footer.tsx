import type { ReactNode } from "react";
import type { NavigationItem, SiteSettings } from "#app/lib/api/types.ts";
import { telephoneHref, whatsappHref } from "#app/lib/format/format.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { Link } from "#app/ui/link.tsx";
import { AlmijaraLogo, ProadnerLogo } from "#app/ui/logo.tsx";
import { ThemeChoice } from "#app/ui/theme-choice.tsx";
import { LanguageLinks } from "./language-links.tsx";
import { LegalLinks } from "./legal-links.tsx";
import { shellMessages } from "./messages.ts";
import { NavLink } from "./nav-link.tsx";

export function Footer() {
  const { navigation, settings } = useSite();
  const t = useMessages(shellMessages);
  const legalName = settings.legalName ?? settings.companyName;
  const taxId = settings.taxId ? `${t.taxId} ${settings.taxId}` : "";
  return (
    <footer className="mt-auto border-t border-line bg-sunk">
      <div className="page-width grid grid-cols-2 gap-x-6 gap-y-12 py-16 narrow:grid-cols-1 md:grid-cols-3 md:gap-x-12 lg:grid-cols-[1.6fr_1fr_1fr_1fr]">
        <div className="col-span-full flex flex-col gap-6 lg:col-span-1">
          <div className="flex flex-wrap items-center gap-x-8 gap-y-5">
            <Link to="/" aria-label={t.home(settings.companyName)}>
              <AlmijaraLogo width={185} again />
            </Link>
            <Link to="/proadner-property-administration" aria-label={t.administration}>
              <ProadnerLogo width={160} again />
            </Link>
          </div>
          <Office settings={settings} />
        </div>
        <FooterMenu title={t.localAreas} items={navigation.footer} />
        {/* On a phone it is beside the other two. */}
        <FooterMenu
          title={t.popular}
          items={navigation.popular}
          className="row-span-2 md:row-span-1"
        />
        <FooterMenu title={t.quick} items={navigation.quick} />
      </div>
      <div className="border-t border-line">
        <div className="page-width flex flex-col gap-6 py-8">
          <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
            <div className="-ml-2.5 flex grow narrow:ml-0 flex-wrap items-center justify-between gap-x-6 gap-y-2 md:grow-0">
              <LanguageLinks />
              <ThemeChoice />
            </div>
            {settings.socialUrl ? (
              <SocialLinks url={settings.socialUrl} company={settings.companyName} />
            ) : null}
          </div>
          {settings.sampleNotice ? (
            <p className="text-sm text-muted">{settings.sampleNotice}</p>
          ) : null}
          <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 text-sm text-muted">
            <p>
              {/* The document may have been opened last year, or stored for use without a connection. */}
              © <span suppressHydrationWarning>{currentYear()}</span>
              {` ${[legalName, taxId, t.rights].filter(Boolean).join(" · ")}`}
            </p>
            <LegalLinks />
          </div>
          {settings.footerNote ? <p className="text-sm text-muted">{settings.footerNote}</p> : null}
        </div>
      </div>
    </footer>
  );
}

/**
 * Returns the current year: that of Spain on the server, and that of the device in the browser. After hydration,
 * the server's HTML still shows its own.
 */
export function currentYear(): string | number {
  const now = new Date();
  return import.meta.env.SSR
    ? now.toLocaleDateString("en", { timeZone: "Europe/Madrid", year: "numeric" })
    : now.getFullYear();
}

function Office({ settings }: { settings: SiteSettings }) {
  const t = useMessages(shellMessages);
  const town = [settings.postalCode, settings.town].filter(Boolean).join(" ");
  return (
    <div>
      <h2 className="text-lg">{t.contact}</h2>
      <address className="mt-3 flex flex-col gap-3 text-muted not-italic wrap-anywhere">
        <p>
          {settings.street}
          <br />
          {[town, settings.province].filter(Boolean).join(", ")}
        </p>
        <ul className="flex flex-wrap gap-x-5 gap-y-1">
          {settings.phones.map((phone) => (
            <ContactLink key={phone} href={telephoneHref(phone)}>
              {phone}
            </ContactLink>
          ))}
          {settings.whatsapp ? (
            <ContactLink href={whatsappHref(settings.whatsapp)}>WhatsApp</ContactLink>
          ) : null}
        </ul>
        <ul className="flex flex-wrap gap-x-5 gap-y-1">
          {settings.emails.map((email) => (
            <ContactLink key={email} href={`mailto:${email}`}>
              {email}
            </ContactLink>
          ))}
        </ul>
      </address>
    </div>
  );
}

function ContactLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <li>
      <a href={href} className="text-link contact-link">
        {children}
      </a>
    </li>
  );
}

interface FooterMenuProps {
  title: string;
  items: readonly NavigationItem[];
  className?: string;
}

function FooterMenu({ title, items, className = "" }: FooterMenuProps) {
  return (
    <nav aria-label={title} className={`footer-menu ${className}`}>
      <h2>{title}</h2>
      <ul>
        {items.map((item) => (
          <li key={item.label}>
            <NavLink item={item} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Two links to the agency's only social media page. */
function SocialLinks({ url, company }: { url: string; company: string }) {
  const t = useMessages(shellMessages);
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {[t.social(company), t.socialGroup].map((label) => (
        <a key={label} href={url} target="_blank" rel="noopener noreferrer" className="text-link">
          {label}
          <span className="sr-only">{` (${t.newWindow})`}</span>
        </a>
      ))}
    </p>
  );
}
