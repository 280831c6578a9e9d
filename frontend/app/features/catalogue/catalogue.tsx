import type { ReactNode } from "react";
import { ICONS } from "#app/lib/icon-names.ts";
import { Seo } from "#app/lib/seo/seo.tsx";
import { useSite } from "#app/lib/site/site-query.ts";
import { Breadcrumbs } from "#app/ui/breadcrumbs.tsx";
import { buttonStyle } from "#app/ui/button.tsx";
import { EmailText } from "#app/ui/email-text.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import Pagination from "#app/ui/pagination.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { Prose } from "#app/ui/prose.tsx";
import { Sample, SampleGroup } from "#app/ui/sample.tsx";
import { FormSamples } from "./form-samples.tsx";
import { MailSamples } from "./mail-samples.tsx";
import { OverlaySamples } from "./overlay-samples.tsx";

const COLOURS = ["canvas", "surface", "sunk", "line", "line-strong", "ink", "muted"] as const;
const ACCENTS = ["sun", "sun-strong", "sun-wash", "sea", "leaf", "clay"] as const;
const TEXT =
  "<h2>A heading</h2><p>Words, <strong>strong</strong> ones and <a href='/docs'>a link</a>.</p><ul><li>One</li><li>Two</li></ul><blockquote><p>What somebody said.</p></blockquote>";

/** An inline style, like other sizes in samples: a class used only here would be in the style sheet of every page. */
const WIDE_STYLE = { width: "20rem" };

/** The component catalogue, for developers only and therefore in English only. */
export function Catalogue({ children }: { children: ReactNode }) {
  return (
    <div className="page-width pt-10 pb-20">
      <Seo title="Catalogue" suffix={undefined} description="Every part." path={undefined} />
      <h1 className="text-title">Catalogue</h1>
      <Tokens />
      <Parts />
      <FormSamples />
      <OverlaySamples />
      <MailSamples />
      {children}
    </div>
  );
}

function Tokens() {
  return (
    <SampleGroup name="Tokens">
      <Sample name="Colours">
        {[...COLOURS, ...ACCENTS].map((colour) => (
          <p key={colour} className="text-sm">
            <span
              className="block rounded-xl border border-line"
              style={{ background: `var(--${colour})`, width: "6rem", height: "3.5rem" }}
            />
            {colour}
          </p>
        ))}
      </Sample>
      <Sample name="Sizes of type">
        <div className="grid gap-3">
          <p className="font-display text-hero leading-none">Hero</p>
          <p className="font-display text-title leading-none">Title</p>
          <p className="font-display text-heading leading-none">Heading</p>
          <p className="text-lg">Large</p>
          <p>Text</p>
          <p className="text-sm text-muted">Small and muted</p>
        </div>
      </Sample>
    </SampleGroup>
  );
}

function Parts() {
  const { hero } = useSite().settings;
  return (
    <SampleGroup name="Parts">
      {(["primary", "outline", "quiet"] as const).map((look) => (
        <Sample key={look} name={`Button, ${look}`}>
          <button type="button" className={buttonStyle[look]}>
            Words
          </button>
          <button type="button" className={buttonStyle[look]}>
            <Icon name="mail" />
            With a drawing
          </button>
          <button type="button" disabled className={buttonStyle[look]}>
            Disabled
          </button>
          <Link to="/catalogue" className={buttonStyle[look]}>
            A link
          </Link>
        </Sample>
      ))}
      <Sample name="Link">
        <Link to="/contact-us" className="text-link">
          In this language
        </Link>
        <EmailText address="hello@almijarahomes.example" />
      </Sample>
      <Sample name="Breadcrumbs">
        <Breadcrumbs label="One" crumbs={[{ label: "Home", to: "/" }]} />
        <Breadcrumbs
          label="Several"
          crumbs={[
            { label: "Home", to: "/" },
            { label: "For sale", to: "/property-for-sale" },
          ]}
        />
      </Sample>
      <Sample name="Pagination">
        <Pagination page={4} pages={9} to={(page) => `/catalogue?page=${page}`} />
      </Sample>
      <Sample name="Picture">
        {hero ? (
          <div style={WIDE_STYLE}>
            <Picture picture={hero} sizes="20rem" className="w-full rounded-xl" />
          </div>
        ) : (
          <p className="text-muted">The settings have no picture.</p>
        )}
        <p
          className="plaster flex items-center justify-center rounded-xl text-muted"
          style={{ width: "16rem", height: "10rem" }}
        >
          On its way
        </p>
      </Sample>
      <Sample name="Text">
        <Prose html={TEXT} />
        <Prose html="<p>En el otro idioma.</p>" lang="es-ES" />
      </Sample>
      <Sample name="Loading bar">
        <div
          className="relative overflow-hidden rounded-full bg-sunk"
          style={{ ...WIDE_STYLE, height: "0.75rem" }}
        >
          <div className="loading-bar" style={{ position: "absolute" }} />
        </div>
      </Sample>
      <Sample name="Popover">
        <button type="button" popoverTarget="sample-popover" className={buttonStyle.outline}>
          Open
        </button>
        <div id="sample-popover" popover="auto" className="popover p-5">
          Escape or a click elsewhere closes it.
        </div>
      </Sample>
      <Sample name="Drawings">
        {ICONS.map((name) => (
          <p key={name} className="flex w-28 items-center gap-2 text-sm">
            <Icon name={name} />
            {name}
          </p>
        ))}
      </Sample>
    </SampleGroup>
  );
}
