import type { MouseEvent } from "react";
import { useNavigate } from "react-router";
import { isPlainClick } from "#app/lib/browser/is-plain-click.ts";

interface ProseProps {
  /** Editors' HTML as the API returns it, already sanitized. */
  html: string;
  /** The language of the text, if it differs from the page's. */
  lang?: string | undefined;
  className?: string;
}

/** Formatted text: articles, guides, legal pages. Without a script its links are plain links. */
export function Prose({ html, lang, className = "" }: ProseProps) {
  const navigate = useNavigate();
  const onClick = (event: MouseEvent) => {
    const path = internalPathOf(event);
    if (path === undefined) return;
    event.preventDefault();
    navigate(path);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only the links in it are interactive
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click
    <div
      lang={lang}
      className={`prose ${className}`}
      onClick={onClick}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

/** Returns the site path that a click leads to; undefined where the browser should handle the click itself. */
function internalPathOf(event: MouseEvent): string | undefined {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || event.defaultPrevented || !isPlainClick(event)) return;
  const href = link.getAttribute("href") ?? "";
  if (!href.startsWith("/") || href.startsWith("//") || link.target || link.download) return;
  return href;
}
