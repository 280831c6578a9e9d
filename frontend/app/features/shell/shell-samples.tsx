import type { NavigationItem } from "#app/lib/api/types.ts";
import { Icon } from "#app/ui/icon.tsx";
import { AlmijaraLogo, ProadnerLogo } from "#app/ui/logo.tsx";
import { Sample, SampleGroup } from "#app/ui/sample.tsx";
import { ThemeChoice } from "#app/ui/theme-choice.tsx";
import { HeaderDropdown } from "./header-dropdown.tsx";
import { LanguageLinks } from "./language-links.tsx";
import { NavLink } from "./nav-link.tsx";

const item = (label: string, fields: Partial<NavigationItem> = {}): NavigationItem => ({
  label,
  description: "",
  disabled: false,
  children: [],
  ...fields,
});

const LINKS = [
  item("A page", { url: "/contact-us" }),
  item("This page", { url: "/catalogue" }),
  item("New", { url: "/news", badge: "New" }),
  item("Elsewhere", { url: "https://elsewhere.example/", target: "_blank" }),
  item("Disabled", { url: "/contact-us", disabled: true }),
  item("Words alone"),
];

const MENU = item("A menu", {
  children: [item("With words", { url: "/docs", description: "What stands there" }), ...LINKS],
});

/** The same style as in the language links. */
const FLAG = { width: "1.125rem", height: "0.75rem", borderRadius: "0.125rem" };

/** The parts of the header and footer for the catalogue. The complete ones are around it. */
export function ShellSamples() {
  return (
    <SampleGroup name="Shell">
      <Sample name="Logos, as wide as in the footer">
        <AlmijaraLogo width={185} />
        <ProadnerLogo width={160} />
      </Sample>
      <Sample name="Flags">
        <Icon name="flag-en" style={FLAG} />
        <Icon name="flag-es" style={FLAG} />
      </Sample>
      <Sample name="Entries of a menu">
        {LINKS.map((link) => (
          <NavLink key={link.label} item={link} className="text-link" />
        ))}
      </Sample>
      <Sample name="Menu">
        <HeaderDropdown item={MENU} />
      </Sample>
      <Sample name="Languages">
        <LanguageLinks />
      </Sample>
      <Sample name="Colours">
        <ThemeChoice />
      </Sample>
    </SampleGroup>
  );
}
