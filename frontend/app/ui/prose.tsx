import type { MouseEvent } from "react";
import { useNavigate } from "react-router";

interface ProseProps {
  /** Editors' HTML as the API gives it: cleaned, and ready to be read. */
  html: string;
  /** The language of the words, where it is not the page's. */
  lang?: string | undefined;
  className?: string;
}

/** A text to be read: articles, guides, legal pages. Its links are plain ones without any script. */
export function Prose({ html, lang, className = "" }: ProseProps) {
  const navigate = useNavigate();
  const follow = (event: MouseEvent) => {
    const step = stepInside(event);
    if (step === undefined) return;
    event.preventDefault();
    navigate(step);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links in it are what is pressed
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click
    <div
      lang={lang}
      className={`prose ${className}`}
      onClick={follow}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

/** The page of the site that a click asks for; none where the browser does better by itself. */
function stepInside(event: MouseEvent): string | undefined {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const plain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (!link || event.defaultPrevented || event.button !== 0 || !plain) return;
  const href = link.getAttribute("href") ?? "";
  if (!href.startsWith("/") || href.startsWith("//") || link.target || link.download) return;
  return href;
}
