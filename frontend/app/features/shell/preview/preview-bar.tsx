import { useEffect, useId, useState } from "react";
import { useLocation } from "react-router";
import {
  LANGUAGE_NAME,
  LANGUAGE_TAG,
  LOCALES,
  type Locale,
  localizedPath,
  useLocale,
} from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import {
  type Preview,
  type PreviewOfItem,
  previewAddress,
  type Refusal,
  savePreview,
  takeSavedPreview,
} from "#app/lib/preview/preview.ts";
import { Button, buttonStyle } from "#app/ui/button.tsx";
import { markEditable } from "./editable.ts";
import { previewMessages } from "./messages.ts";
import "./preview.css";
import { fieldName, refusedValue, valueInWords } from "./words.ts";

/** The bar that an editor sees on a previewed page. */
export default function PreviewBar({ preview }: { preview: Preview }) {
  const t = useMessages(previewMessages);
  const locale = useLocale();
  const { pathname, search } = useLocation();
  const panel = useId();
  const { item, staging } = preview;
  const page = { href: preview.origin + pathname + search };
  const refused = item?.refused ?? [];
  const leftOut = item?.leftOut ?? [];
  const differences = item?.differences ?? [];
  const isWrong = refused.length + leftOut.length > 0;
  const [isOpen, setOpen] = useState(isWrong);
  const count = differences.length;
  const hasPanel = count > 0 || isWrong;
  const wrong = refused.length > 0 ? t.showRefused(refused.length) : t.showLeftOut(leftOut.length);
  const showLabel = count > 0 ? t.show(count) : wrong;

  useEffect(() => {
    savePreview(new URLSearchParams(location.search).get("preview") || "on");
  }, []);
  useDocumentNavigation(pathname + search);
  useVisualEditing(item, locale);
  useChangeMarks(item, isOpen);
  return (
    <section
      className="preview-bar"
      aria-label={t.title}
      onKeyDown={(event) => {
        if (event.key === "Escape") setOpen(false);
      }}
    >
      {hasPanel && isOpen ? (
        <div id={panel} className="preview-panel page-width">
          <Refusals head={t.refused} refusals={refused} />
          <Refusals head={t.leftOut} refusals={leftOut} />
          {count > 0 ? (
            <>
              <h3>{item?.draft ? t.changes : t.lacks}</h3>
              <dl>
                {differences.map((difference) => (
                  <div key={difference.field}>
                    <dt>{fieldName(locale, difference.field)}</dt>
                    <dd>
                      <del>
                        <span className="sr-only">{t.was} </span>
                        {valueInWords(locale, difference.field, difference.old)}
                      </del>
                      <ins>
                        <span className="sr-only">{t.becomes} </span>
                        {valueInWords(locale, difference.field, difference.new)}
                      </ins>
                    </dd>
                  </div>
                ))}
              </dl>
            </>
          ) : null}
        </div>
      ) : null}
      <div className="preview-row page-width">
        <p role="status">
          <strong>{t.title}</strong>
          <span className="preview-state">{stateOf(preview, t)}</span>
          {item?.published && count === 0 && !isWrong ? ` ${t.same}` : null}
        </p>
        {hasPanel ? (
          <Button
            look="outline"
            aria-expanded={isOpen}
            aria-controls={isOpen ? panel : undefined}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? t.hide : showLabel}
          </Button>
        ) : null}
        <nav aria-label={t.language} className="preview-languages">
          {LOCALES.map((each) => (
            <a
              key={each}
              href={localizedPath(each, pathname) + search}
              hrefLang={LANGUAGE_TAG[each]}
              lang={LANGUAGE_TAG[each]}
              aria-current={each === locale ? "true" : undefined}
            >
              {LANGUAGE_NAME[each]}
            </a>
          ))}
        </nav>
        {/* The following pages show it, too, until it is ended. */}
        {staging ? (
          <a href={ownApiAddress(page)} className={buttonStyle.outline}>
            {t.endStaging}
          </a>
        ) : null}
        {/* In the Studio's frame the Studio itself ends the preview. The public page is not shown there. */}
        {isInFrame() ? null : (
          <a
            href={previewAddress(page, "")}
            onClick={() => takeSavedPreview()}
            className={buttonStyle.primary}
          >
            {t.exit}
          </a>
        )}
      </div>
    </section>
  );
}

/** Whether the page is in the Studio's frame, beside a form. */
const isInFrame = () => window.parent !== window;

/** Lists the values that the rules refuse, under a heading. */
function Refusals({ head, refusals }: { head: string; refusals: readonly Refusal[] }) {
  const locale = useLocale();
  if (refusals.length === 0) return null;
  return (
    <>
      <h3>{head}</h3>
      <dl>
        {refusals.map(({ field, value, rule }) => (
          <div key={field + rule}>
            <dt>{fieldName(locale, field)}</dt>
            <dd>
              <code>{refusedValue(locale, value)}</code> {rule}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function stateOf({ item, staging }: Preview, t: ReturnType<typeof useMessages<Words>>): string {
  if (staging) return t.staging(staging);
  if (!item) return t.elsewhere;
  if (!item.published) return t.unpublished;
  if (item.draft) return t.draft;
  // The item was just published, and the site does not have it yet.
  return item.differences.length > 0 ? t.notShown : t.asPublished;
}

type Words = typeof previewMessages.en;

/** Returns the address of the same page of the site's own API. */
function ownApiAddress({ href }: { href: string }): string {
  const url = new URL(href);
  url.searchParams.set("staging", "");
  return url.pathname + url.search;
}

/**
 * Makes each navigation load a document: only documents have drafts, and a client-side navigation would
 * show what is published. Links bypass the router, and if it navigates nevertheless, the page is reloaded.
 */
function useDocumentNavigation(address: string): void {
  const [first] = useState(address);
  useEffect(() => {
    if (address !== first) location.reload();
  }, [address, first]);
  useEffect(() => {
    const stop = new AbortController();
    const bypassRouter = (event: MouseEvent) => {
      const link = (event.target as Element | null)?.closest?.("a[href]");
      // The bar's own links have click handlers in React, and load documents anyway.
      if (link && !link.closest(".preview-bar")) event.stopPropagation();
    };
    // React listens on the document, so a capturing listener on the window runs first.
    window.addEventListener("click", bypassRouter, { capture: true, signal: stop.signal });
    return () => stop.abort();
  }, []);
}

/** In the Studio's frame, makes a click on a text or picture open its field. */
function useVisualEditing(item: PreviewOfItem | undefined, locale: Locale): void {
  useEffect(() => {
    if (!item) return;
    const editables = markEditable(item);
    if (!isInFrame()) return;
    let left = false;
    let remove: (() => void) | undefined;
    import("./visual-editing.ts").then(
      // The module is undefined if the page is being left.
      async (module) => {
        remove = await module?.startEditing(item.studio, editables, locale);
        if (left) remove?.();
      },
      () => undefined,
    );
    return () => {
      left = true;
      remove?.();
    };
  }, [item, locale]);
}

/** Marks on the page what the draft changes, while its differences are shown. */
function useChangeMarks(item: PreviewOfItem | undefined, isPanelOpen: boolean): void {
  useEffect(() => {
    if (!item || !isPanelOpen) return;
    const changed = new Set(item.differences.map(({ field }) => field));
    const marked = markEditable(item).filter(({ members }) =>
      members.some((member) => changed.has(member)),
    );
    for (const { element } of marked) element.classList.add("preview-changed");
    return () => {
      for (const { element } of marked) element.classList.remove("preview-changed");
    };
  }, [item, isPanelOpen]);
}
